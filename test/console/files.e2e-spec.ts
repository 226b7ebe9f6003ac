import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@portage/testing';
import { describeConsole } from './console-suite';

describeConsole('files', (suite) => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${suite.portage.baseUrl}${path}`, { redirect: 'manual', headers });

  it('are a page at every address below /console/, never cached, under a policy without anything inline', async () => {
    for (const path of ['/console/', '/console/suppliers/A%2FB/processes?status=ERRORED']) {
      const page = await get(path);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = page.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i);
    }
    const redirect = await get('/console?a=b');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/console/?a=b']);
  });

  it('have a hash in their name, can be kept for ever, and are compressed for browsers that accept that', async () => {
    const names = readdirSync(join(REPOSITORY, 'dist', 'console', 'assets'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const file = await get(`/console/assets/${name}`, { 'accept-encoding': 'gzip' });
      expect([file.status, file.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(file.headers.get('content-encoding')).toBe(name.endsWith('.woff2') ? null : 'gzip');
      expect(name).toMatch(/-[\w-]{8}\.\w+$/);
      // React for development is slower and runs effects twice.
      expect([name, (await file.text()).includes('React DevTools')]).toEqual([name, false]);
    }
    const missing = await get('/console/assets/index-00000000.js');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect((await get('/console/assets/..%2F..%2Fopenapi.json')).status).toBe(404);
  });
});
