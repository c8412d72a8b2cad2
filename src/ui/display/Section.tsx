import type { ReactNode } from 'react'
import { messageOf } from '../client/api.ts'
import { cn } from '../cn.ts'
import { ErrorState } from './EmptyState.tsx'
import { Skeleton } from './Skeleton.tsx'

interface SectionProps {
  /** Of its heading, by which it is named. */
  id: string
  title: string
  /** What can be done with it, at the right of its heading. */
  actions?: ReactNode
  /** A width of its own; otherwise that of text. */
  className?: string
  children: ReactNode
}

/** A part of a settings page: a heading over a hairline, and what belongs to it. */
export function Section({ id, title, actions, className, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cn('max-w-(--measure)', className)}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-3">
        <h2 id={id} className="text-lg font-semibold text-fg">
          {title}
        </h2>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

interface AskedProps<Data> {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** What happened: 'Couldn’t load the sessions'. */
  failed: string
  children: (data: Data) => ReactNode
}

/** What a section shows of an answer; before it, what has its size; without it, what went wrong. */
export function Asked<Data>({ query, failed, children }: AskedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return (
      <ErrorState title={failed} onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {messageOf(query.error)}
      </ErrorState>
    )
  }
  return (
    <div role="status" aria-label="Loading" className="flex min-h-40 flex-col gap-4 py-5">
      <Skeleton className="w-40" />
      <Skeleton className="w-72 max-w-full" />
      <Skeleton className="w-56" />
    </div>
  )
}
