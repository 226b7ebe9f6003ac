import { type LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Tone } from './state';

/** The head of a page: where it is, its title, its state and what can be done. */
export function PageHead(props: {
  title: string;
  trail?: ReactNode;
  state?: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-head">
      {props.trail && <nav aria-label="Breadcrumb">{props.trail}</nav>}
      <div className="page-head-row">
        <div className="page-title">
          <h1>{props.title}</h1>
          {props.state}
        </div>
        {props.actions && <div className="actions">{props.actions}</div>}
      </div>
      {props.detail && <p className="page-detail">{props.detail}</p>}
    </header>
  );
}

/** A titled part of a page. */
export function Panel(props: {
  title?: string;
  note?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={props.title ? id : undefined}>
      {props.title && (
        <div className="panel-head">
          <h2 id={id}>{props.title}</h2>
          {props.note && <span className="panel-note">{props.note}</span>}
          {props.actions && <div className="actions">{props.actions}</div>}
        </div>
      )}
      <div className={props.flush ? 'panel-body flush' : 'panel-body'}>{props.children}</div>
    </section>
  );
}

/** One figure with its name. */
export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  icon?: LucideIcon;
  tone?: Tone;
}) {
  return (
    <div className={`figure ${props.tone ? `tone-${props.tone}` : ''}`}>
      <dt>
        {props.icon && <props.icon size={14} />}
        {props.label}
      </dt>
      <dd>
        <span className="figure-value">{props.value}</span>
        {props.note && <span className="figure-note">{props.note}</span>}
      </dd>
    </div>
  );
}

export const Figures = ({ children }: { children: ReactNode }) => <dl className="figures">{children}</dl>;

/** Names and values, one pair a line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="muted">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
