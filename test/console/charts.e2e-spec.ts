import { describeConsole } from './console-suite';
import { RECORD_CHARTS } from './in-page';

interface DrawnText {
  text: string;
  x: number;
  y: number;
  chart: string;
}

const LATENCY = 'Mean time from acceptance to creation';

describeConsole('charts', (suite) => {
  it('draw a single point, label each tick differently and with its unit, and say when nothing happened', async () => {
    const console = await suite.openAs('viewer');
    const { page } = console;
    await page.addInitScript(RECORD_CHARTS);
    await console.goto(`/suppliers/${suite.code}`);
    const panel = page.getByRole('region', { name: 'Throughput and latency' });
    await panel.getByText('Nothing in this time').nth(1).waitFor();

    await suite.portage.schedule(suite.portage.account('CHART-1'));
    await suite.portage.waitForAccount('CHART-1', 'PROCESSED');
    await page.reload();
    await panel.locator('canvas').nth(1).waitFor();
    // The latency has one value in an hour.
    expect(await page.evaluate<number>('drawnDots')).toBeGreaterThan(0);
    const texts = await page.evaluate<DrawnText[]>('drawnTexts');
    for (const chart of [LATENCY, 'Accounts in each minute, the last one so far']) {
      const ofChart = texts.filter((one) => one.chart === chart && !/^\d\d:\d\d$/.test(one.text));
      // The same label at the same place was drawn again.
      const labels = new Map(ofChart.map(({ text, y }) => [y, text]));
      expect(labels.size).toBeGreaterThan(1);
      expect(new Set(labels.values()).size).toBe(labels.size);
      for (const label of labels.values())
        expect(label).toMatch(chart === LATENCY ? /(ms|s|min|h)$/ : /^[\d,]+$/);
    }
    await panel.getByText(/^As of \d\d:\d\d:\d\d/).waitFor();
    expect(console.errors).toEqual([]);
  });
});
