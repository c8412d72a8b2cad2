import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import { openingOf, type Place, type ReportData } from './opening.ts'
import type { WebAsk } from './reports-search.ts'

/** What a number needs to know of the report that it stands in. */
export interface Around {
  data: ReportData
  ask: WebAsk
  wonStages: readonly string[]
}

interface NumberLinkProps {
  around: Around
  measure: string
  place?: Place
  /** What a screen reader hears, as the number alone says little. */
  label?: string
  title?: string
  className?: string
  children: ReactNode
}

/** A number that opens what it counts; plain text where nothing can be listed. */
export function NumberLink({ around: { data, ask, wonStages }, measure, place, label, title, className, children }: NumberLinkProps) {
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
