import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import { openingOf, type Place, type ReportData } from './number-target.ts'
import type { WebAsk } from './reports-search.ts'

/** Report context of a number. */
export interface ReportContext {
  data: ReportData
  ask: WebAsk
  wonStages: readonly string[]
}

interface NumberLinkProps {
  context: ReportContext
  measure: string
  place?: Place
  /** Accessible label, since the number alone says little. */
  label?: string
  title?: string
  className?: string
  children: ReactNode
}

/** A number that opens its records; plain text if they cannot be listed. */
export function NumberLink({ context: { data, ask, wonStages }, measure, place, label, title, className, children }: NumberLinkProps) {
  const opening = openingOf(data, ask, measure, wonStages, place)
  const styles = cn('relative rounded-xs touch-target hover:text-accent-fg hover:underline', className)
  if (!opening) return <span title={title}>{children}</span>
  if ('patients' in opening)
    return (
      <Link to="/contacts" search={{ filter: opening.patients }} aria-label={label} title={title} className={styles}>
        {children}
      </Link>
    )
  return (
    <Link
      from="/reports"
      to="/reports"
      search={(before) => ({ ...before, ...opening.records })}
      resetScroll={false}
      aria-label={label}
      title={title}
      className={styles}
    >
      {children}
    </Link>
  )
}
