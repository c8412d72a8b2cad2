import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

// A grid per row in place of the browser's table layout, so that a row that comes or goes leaves the others alone. Roles say what it is, on plain
// elements: a table's own cost a browser half as much again to style, and their meaning goes with their `display`.

interface TableProps extends ComponentProps<'div'> {
  /** 'default' is 44 high with two lines, 'compact' 36 with one. */
  density?: 'default' | 'compact'
  /** The widths of all columns, as `grid-template-columns` has them. */
  columns: string
}

/** Put it into an element that scrolls; the head sticks to its top, the rows stand where their `top` says. */
export function Table({ density = 'default', columns, className, style, ...rest }: TableProps) {
  return (
    <div
      role="table"
      data-density={density}
      className={cn('group/table w-full text-left text-sm', className)}
      style={{ ...style, '--columns': columns } as React.CSSProperties}
      {...rest}
    />
  )
}

export function TableHead({ className, children, ...rest }: ComponentProps<'div'>) {
  return (
    <div role="rowgroup" className={cn('sticky top-0 z-(--z-sticky) border-b border-line bg-subtle', className)} {...rest}>
      <div role="row" aria-rowindex={1} className="grid h-(--row-head) grid-cols-(--columns)">
        {children}
      </div>
    </div>
  )
}

interface ThProps extends ComponentProps<'div'> {
  /** Numbers stand at the right. */
  numeric?: boolean
}

export function Th({ numeric, className, ...rest }: ThProps) {
  return (
    <div
      role="columnheader"
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
    <div
      role="rowgroup"
      className="relative contain-strict in-data-scrolling:after:absolute in-data-scrolling:after:inset-0"
      style={{ height }}
    >
      {children}
    </div>
  )
}

interface TableRowProps extends ComponentProps<'div'> {
  selected?: boolean
  /** The row that the keyboard is on: a 2 px accent edge. */
  current?: boolean
  /** Where it stands in the body, in px. */
  top: number
}

const rowLooks =
  'group/row absolute inset-x-0 grid h-(--row) grid-cols-(--columns) border-b border-line text-fg-2 contain-layout group-data-[density=compact]/table:h-(--row-compact) hover:bg-hover'

export function TableRow({ selected, current, top, className = '', ...rest }: TableRowProps) {
  const state = selected ? 'bg-selected hover:bg-selected' : current ? 'bg-hover' : ''
  const edge = current ? '[&>:first-child]:shadow-[inset_2px_0_0_var(--accent)]' : ''
  // No cn: a scroll draws dozens of these in a blink.
  return (
    <div
      role="row"
      aria-selected={selected}
      data-current={current || undefined}
      className={`${rowLooks} ${state} ${edge} ${className}`}
      style={{ top }}
      {...rest}
    />
  )
}

interface TdProps extends ComponentProps<'div'> {
  numeric?: boolean
  /** Nothing in it needs to be cut off, or what does cuts itself off. */
  whole?: boolean
}

export function Td({ numeric, whole, className = '', ...rest }: TdProps) {
  return (
    <div
      role="cell"
      className={`min-w-0 content-center px-2 whitespace-nowrap first:pl-6 last:pr-6 ${whole ? '' : 'truncate'} ${numeric ? 'text-right tabular-nums' : ''} ${className}`}
      {...rest}
    />
  )
}

/** What an empty cell says. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="text-fg-3">{children}</span>
}
