import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount, formatDateTime, TIME_ZONE } from './format';

export interface Series {
  label: string;
  /** Name of a custom property with the colour. */
  color: string;
  dash?: number[];
  fill?: boolean;
  format?: (value: number) => string;
}

/** Values of one moment: seconds since the epoch, then one value a series. */
export type Point = readonly [seconds: number, ...values: (number | null)[]];

const HEIGHT = 220;
const TABLE_ROWS = 60;

/** A chart over time, with the same figures as a table behind a button. */
export function TimeSeries(props: { title: string; series: readonly Series[]; points: readonly Point[] }) {
  const { title, series, points } = props;
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [isTable, setTable] = useState(false);
  const id = useId();
  const key = series.map(({ label }) => label).join();

  useEffect(() => {
    const element = box.current;
    if (!element || isTable) return undefined;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--ink-3'),
      font: `11px ${color('--font')}`,
      grid: { stroke: color('--line'), width: 1 },
      ticks: { stroke: color('--line'), width: 1, size: 4 },
    };
    const columns = [
      points.map(([seconds]) => seconds),
      ...series.map((_, index) => points.map((point) => point[index + 1] ?? null)),
    ] as UPlot.AlignedData;
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        padding: [12, 8, 0, 0],
        cursor: { points: { size: 7 }, y: false },
        legend: { show: true, live: true },
        axes: [
          {
            ...axis,
            space: 70,
            values: [
              [86_400, '{D} {MMM}', null, null, null, null, null, null, 1],
              [3_600, '{HH}:{mm}', null, null, null, null, null, null, 1],
              [60, '{HH}:{mm}', null, null, null, null, null, null, 1],
              [1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1],
            ],
          },
          { ...axis, size: 52, values: (_, values) => values.map((value) => formatCount(value)) },
        ],
        scales: { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
        series: [
          {
            label: 'Time',
            value: (_, seconds) => (seconds ? formatDateTime(new Date(seconds * 1_000).toISOString()) : '–'),
          },
          ...series.map((one): UPlot.Series => ({
            label: one.label,
            stroke: color(one.color),
            width: 2,
            ...(one.dash ? { dash: one.dash } : {}),
            ...(one.fill ? { fill: `color-mix(in srgb, ${color(one.color)} 14%, transparent)` } : {}),
            points: { show: points.length < 3 },
            spanGaps: false,
            // Between two points there is no value, although its type says so.
            value: (_, value: number | null) => (value === null ? '–' : (one.format ?? formatCount)(value)),
          })),
        ],
      },
      columns,
      element,
    );
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) chart.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
    // The series are constants of their page, named by `key`.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [points, key, scheme, isTable]);

  const newestFirst = [...points].reverse().slice(0, TABLE_ROWS);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span>
          {title} <span className="muted">· times in {TIME_ZONE}</span>
        </span>
        <button
          type="button"
          className="text-button"
          aria-pressed={isTable}
          onClick={() => {
            setTable(!isTable);
          }}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
      {isTable ? (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls
        <div className="table-box chart-table" role="region" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" className="figure-cell">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {newestFirst.map(([seconds, ...values]) => (
                <tr key={seconds}>
                  <th scope="row">{formatDateTime(new Date(seconds * 1_000).toISOString())}</th>
                  {series.map(({ label, format }, index) => {
                    const value = values[index] ?? null;
                    return (
                      <td key={label} className="figure-cell">
                        {value === null ? '–' : (format ?? formatCount)(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div ref={box} className="chart-canvas" />
      )}
    </figure>
  );
}
