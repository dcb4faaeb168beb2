// The page of a receipt without a network: the newest one that this telephone has seen.
const PAGE = './';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open('receipt').then((cache) => cache.add(PAGE)));
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const newest = fetch(event.request).then(async (answer) => {
    if (answer.ok) await (await caches.open('receipt')).put(PAGE, answer.clone());
    return answer;
  });
  event.respondWith(newest.catch(() => caches.match(PAGE)));
});
