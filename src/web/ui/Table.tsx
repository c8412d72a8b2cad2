import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   A grid per row in place of the browser's table layout, so that a row that comes or goes leaves the others alone. `display` takes the meaning
   from a table's elements in some browsers; their roles give it back. */

interface TableProps extends ComponentProps<'table'> {
  /** 'default' is 44 high with two lines, 'compact' 36 with one. */
  density?: 'default' | 'compact'
  /** The widths of all columns, as `grid-template-columns` has them. */
  columns: string
}

/** Put it into an element that scrolls; the head sticks to its top, the rows stand where their `top` says. */
export function Table({ density = 'default', columns, className, style, ...rest }: TableProps) {
  return (
    <table
      role="table"
      data-density={density}
      className={cn('group/table block w-full text-left text-sm', className)}
      style={{ ...style, '--columns': columns } as React.CSSProperties}
      {...rest}
    />
  )
}

export function TableHead({ className, children, ...rest }: ComponentProps<'thead'>) {
  return (
    <thead role="rowgroup" className={cn('sticky top-0 z-(--z-sticky) block border-b border-line bg-subtle', className)} {...rest}>
      <tr role="row" aria-rowindex={1} className="grid h-(--row-head) grid-cols-(--columns)">
        {children}
      </tr>
    </thead>
  )
}

interface ThProps extends ComponentProps<'th'> {
  /** Numbers stand at the right. */
  numeric?: boolean
}

export function Th({ numeric, className, ...rest }: ThProps) {
  return (
    <th
      role="columnheader"
      scope="col"
      className={cn(
        'content-center px-2 text-xs font-medium whitespace-nowrap text-fg-3 first:pl-6 last:pr-6',
        numeric && 'text-right',
        className,
      )}
      {...rest}
    />
  )
}

/**
 * As high as all its rows, of which only those in sight need to be there. While the element that scrolls says so (data-scrolling), rows do not
 * light up under the pointer: each would be drawn twice on its way through.
 */
export function TableBody({ height, children }: { height: number; children: React.ReactNode }) {
  return (
    <tbody role="rowgroup" className="relative block contain-strict in-data-scrolling:pointer-events-none" style={{ height }}>
      {children}
    </tbody>
  )
}

interface TableRowProps extends ComponentProps<'tr'> {
  selected?: boolean
  /** The row that the keyboard is on: a 2 px accent edge. */
  current?: boolean
  /** Where it stands in the body, in px. */
  top: number
}

const rowLooks =
  'group/row absolute inset-x-0 grid h-(--row) grid-cols-(--columns) border-b border-line contain-layout group-data-[density=compact]/table:h-(--row-compact) hover:bg-hover'

export function TableRow({ selected, current, top, className = '', ...rest }: TableRowProps) {
  const state = selected ? 'bg-selected hover:bg-selected' : current ? 'bg-hover' : ''
  const edge = current ? '[&>td:first-child]:shadow-[inset_2px_0_0_var(--accent)]' : ''
  // No cn: a scroll draws dozens of these in a blink.
  return (
    <tr
      role="row"
      aria-selected={selected}
      data-current={current || undefined}
      className={`${rowLooks} ${state} ${edge} ${className}`}
      style={{ top }}
      {...rest}
    />
  )
}

interface TdProps extends ComponentProps<'td'> {
  numeric?: boolean
}

export function Td({ numeric, className = '', ...rest }: TdProps) {
  return (
    <td
      role="cell"
      className={`min-w-0 content-center truncate px-2 text-fg-2 first:pl-6 last:pr-6 ${numeric ? 'text-right tabular-nums' : ''} ${className}`}
      {...rest}
    />
  )
}

/** What an empty cell says. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="text-fg-3">{children}</span>
}
