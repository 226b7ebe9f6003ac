import { Button, Group, useComputedColorScheme } from '@mantine/core';
import { Activity } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { COUNTS, isEmptyChart, isolatedValues, type Point, rangeOf, type Scale } from './chart';
import { type Column, DataTable } from './data-table';
import { Empty } from './feedback';
import { formatDateTime, TIME_ZONE } from './format';
import { colorOf, type Tone } from './state';

export interface Series {
  label: string;
  tone: Tone;
  dash?: number[];
  fill?: boolean;
}

const HEIGHT = 220;
const TABLE_ROWS = 60;

/** A chart over time, with the same figures as a table behind a button. Its title, or the labels of its axis, name the unit. */
export function TimeSeries(props: {
  title: string;
  series: readonly Series[];
  /** Default: counts. */
  scale?: Scale;
  points: readonly Point[];
}) {
  const { title, series, scale = COUNTS, points } = props;
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [isTable, setTable] = useState(false);
  const id = useId();
  const key = series.map(({ label }) => label).join();
  const isEmpty = isEmptyChart(points);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    // The canvas draws colours that the browser has computed.
    const computed = (color: string) => {
      element.style.color = color;
      return getComputedStyle(element).color;
    };
    const line = { stroke: computed('var(--mantine-color-default-border)'), width: 1 };
    const axis = {
      stroke: computed('var(--mantine-color-dimmed)'),
      font: `11px ${getComputedStyle(element).fontFamily}`,
      grid: line,
      ticks: { ...line, size: 4 },
    };
    const columns = series.map((_, index) => points.map((point) => point[index + 1] ?? null));
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
          { ...axis, size: 60, incrs: [...scale.steps], values: (_, values) => values.map(scale.format) },
        ],
        scales: { y: { range: (_, _min, max) => rangeOf(max) } },
        series: [
          {
            label: 'Time',
            value: (_, seconds) => (seconds ? formatDateTime(new Date(seconds * 1_000).toISOString()) : '–'),
          },
          ...series.map((one): UPlot.Series => ({
            label: one.label,
            stroke: computed(colorOf(one.tone)),
            width: 2,
            ...(one.dash ? { dash: one.dash } : {}),
            ...(one.fill
              ? { fill: `color-mix(in srgb, ${computed(colorOf(one.tone))} 14%, transparent)` }
              : {}),
            points: { show: true, size: 6, filter: (_, place) => isolatedValues(columns[place - 1] ?? []) },
            spanGaps: false,
            // Between two points there is no value, although its type says so.
            value: (_, value: number | null) => (value === null ? '–' : scale.format(value)),
          })),
        ],
      },
      [points.map(([seconds]) => seconds), ...columns],
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
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [points, key, scheme, isTable, isEmpty]);

  const columns: Column<Point>[] = [
    {
      id: 'time',
      header: 'Time',
      isRowHeader: true,
      cell: ([seconds]) => formatDateTime(new Date(seconds * 1_000).toISOString()),
    },
    ...series.map(({ label }, index) => ({
      id: label,
      header: label,
      isFigure: true,
      cell: (point: Point) => {
        const value = point[index + 1] ?? null;
        return value === null ? '–' : scale.format(value);
      },
    })),
  ];
  return (
    <figure aria-labelledby={id}>
      <Group component="figcaption" id={id} justify="space-between" wrap="nowrap">
        <span>
          <b>{title}</b> <span className="muted small">· times in {TIME_ZONE}</span>
        </span>
        <Button
          variant="subtle"
          disabled={isEmpty}
          aria-pressed={isTable}
          onClick={() => {
            setTable(!isTable);
          }}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </Group>
      {isEmpty ? (
        <Empty icon={Activity} title="Nothing in this time" />
      ) : isTable ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={[...points].reverse().slice(0, TABLE_ROWS)}
          rowId={([seconds]) => String(seconds)}
          maxHeight="17rem"
        />
      ) : (
        <div ref={box} />
      )}
    </figure>
  );
}
