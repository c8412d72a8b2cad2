import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'

interface DataTableProps {
  caption: string
  head: readonly [string, ...string[]]
  rows: readonly { id: string; name: ReactNode; filter: string | null; values: readonly ReactNode[] }[]
}

/** A chart's data as a table: names that link to their patients, then numbers. */
export function DataTable({ caption, head, rows }: DataTableProps) {
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((label, index) => (
              <th
                key={label}
                scope="col"
                className={cn(
                  'sticky top-0 bg-surface py-1.5 pl-3 text-xs font-medium text-fg-3',
                  index === 0 ? 'pl-0 text-left' : 'text-right',
                )}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, filter, values }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="py-2 text-left font-regular text-fg max-md:py-3">
                {filter === null ? name : <PatientsLink filter={filter}>{name}</PatientsLink>}
              </th>
              {values.map((value, index) => (
                // oxlint-disable-next-line no-array-index-key -- columns never reorder
                <td key={index} className="pl-3 text-right whitespace-nowrap text-fg-2 tabular-nums">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PatientsLinkProps {
  /** A filter of the patient list; empty for all. */
  filter: string
  className?: string
  label?: string
  children: ReactNode
}

/** A link to the counted patients. */
export function PatientsLink({ filter, className, label, children }: PatientsLinkProps) {
  return (
    <Link
      to="/contacts"
      search={filter === '' ? {} : { filter }}
      aria-label={label}
      className={cn('relative rounded-xs touch-target hover:text-accent-fg hover:underline', className)}
    >
      {children}
    </Link>
  )
}
