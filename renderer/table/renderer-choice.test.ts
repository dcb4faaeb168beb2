import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSoftwareRenderer } from './renderer-choice.ts';

test('software drivers differ from graphics cards by their names', () => {
  for (const name of [
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)',
    'Mesa softpipe',
    'Microsoft Basic Render Driver',
  ]) {
    assert.equal(isSoftwareRenderer(name), true, name);
  }
  for (const name of [
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 630 (CFL GT2), OpenGL 4.6)',
    'ANGLE (NVIDIA Corporation, NVIDIA GeForce GTX 1650/PCIe/SSE2, OpenGL 4.5.0)',
    'ANGLE (AMD, AMD Radeon Vega 8 Graphics (raven, LLVM 15.0.6, DRM 3.49), OpenGL 4.6)',
  ]) {
    assert.equal(isSoftwareRenderer(name), false, name);
  }
});
