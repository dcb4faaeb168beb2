import type { ComponentChildren } from 'preact';

export function Setting(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="setting" aria-label={props.name}>
      <span class="setting-name">{props.name}</span>
      <div class="setting-options">{props.children}</div>
    </fieldset>
  );
}

export function Option(props: {
  readonly on: boolean;
  readonly closed?: boolean;
  readonly children: ComponentChildren;
  readonly onTouch: () => void;
}) {
  return (
    <button
      type="button"
      class="button"
      aria-pressed={props.on}
      aria-disabled={props.closed ?? false}
      onClick={() => {
        if (!props.on) props.onTouch();
      }}
    >
      {props.children}
    </button>
  );
}
