/**
 * WebGL where a graphics card draws it, else Pixi's canvas renderer: on the same processor it needs
 * a small part of the time that software WebGL (SwiftShader, llvmpipe) takes, and draws the same
 * picture.
 */
export type RendererKind = 'webgl' | 'canvas';

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|swrast/i;

/** True for the names software drivers report as their unmasked renderer. */
export const isSoftwareRenderer = (name: string): boolean => SOFTWARE.test(name);

/** Asks the browser once. `wish` other than 'auto' is obeyed. */
export function chooseRenderer(wish: RendererKind | 'auto'): { kind: RendererKind; software: boolean } {
  const probe = document.createElement('canvas');
  const gl = probe.getContext('webgl2', { failIfMajorPerformanceCaveat: false });
  if (gl === null) return { kind: 'canvas', software: true };
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  const software = isSoftwareRenderer(name);
  return { kind: wish === 'auto' ? (software ? 'canvas' : 'webgl') : wish, software };
}
