import type Resources from './resources';

declare module 'i18next' {
  interface CustomTypeOptions {
    enableSelector: false;
    defaultNS: 'table';
    resources: Resources;
    interpolationFormatTypeMap: { money: number };
  }
}
