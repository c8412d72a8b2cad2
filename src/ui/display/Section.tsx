import type { ReactNode } from 'react'
import { messageOf } from '../client/api.ts'
import { cn } from '../cn.ts'
import { ErrorState } from './EmptyState.tsx'
import { Skeleton } from './Skeleton.tsx'

interface SectionProps {
  /** Id of the heading that labels it. */
  id: string
  title: string
  /** Actions at the right of the heading. */
  actions?: ReactNode
  /** Custom width; text width by default. */
  className?: string
  children: ReactNode
}

/** A settings section: a heading over a hairline, and content. */
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

/** Renders a query's data; a placeholder while loading; an error state on failure. */
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
