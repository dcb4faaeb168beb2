declare module '*.css';
declare module '*.css?later';
declare module '*.css?names';

/** Vite's: the files that fit the pattern, by path. */
interface ImportMeta {
  glob<T>(
    pattern: string,
    options: { readonly eager: true; readonly query: string; readonly import: string },
  ): Record<string, T>;
}
