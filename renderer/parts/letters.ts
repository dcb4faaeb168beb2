/** Loads the letters of the rules and of service mode, which come after the first picture. */
export async function bringLetters(): Promise<void> {
  await import('@fontsource-variable/noto-sans-hk/index.css?later');
  // One that cannot be loaded must not keep a technician out.
  await Promise.allSettled([...document.fonts].map((face) => face.load()));
}
