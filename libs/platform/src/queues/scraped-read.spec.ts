import { ScrapedRead } from './scraped-read';

it('scrapes join the read that runs, and the next one starts a new read', async () => {
  const reads: ((value: string) => void)[] = [];
  const scraped = new ScrapedRead(async () => new Promise<string>((resolve) => reads.push(resolve)));
  const both = [scraped.join(), scraped.join()];
  reads[0]!('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  const next = scraped.join();
  reads[1]!('second');
  expect(await next).toBe('second');
});

it('a late read rejects, and is joined by the next scrape', async () => {
  const reads: ((value: string) => void)[] = [];
  const scraped = new ScrapedRead(async () => new Promise<string>((resolve) => reads.push(resolve)), 5);
  await expect(scraped.join()).rejects.toThrow('No answer within 5 ms.');
  const joined = scraped.join();
  reads[0]!('late');
  expect(await joined).toBe('late');
  expect(reads).toHaveLength(1);
});
