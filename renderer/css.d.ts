declare module '*.css';
declare module '*.css?later';
declare module '*.webp?url' {
  const url: string;
  export default url;
}
declare module '*.css?names';

/** Vite's: the files that fit the pattern, by path. */
interface ImportMeta {
  glob<T>(
    pattern: string,
    options: { readonly eager: true; readonly query: string; readonly import: string },
  ): Record<string, T>;
}
