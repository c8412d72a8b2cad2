import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

// A grid per row instead of table layout, so that adding or removing a row leaves the others alone. ARIA roles on plain elements: real
// table elements cost half as much again to style, and their `display` would remove their semantics anyway.

interface TableProps extends ComponentProps<'div'> {
  /** 'default' is 44 px high with two lines, 'compact' 36 px with one. */
  density?: 'default' | 'compact'
  /** Column widths as `grid-template-columns`. */
  columns: string
}

/** Place inside a scrolling element; the header is sticky, and rows are positioned by their `top`. */
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
  /** Numbers are right-aligned. */
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
 * As high as all rows, of which only the visible ones are rendered. While the scroll container has data-scrolling, rows have no hover
 * style, which would redraw each twice.
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
  /** The active row for the keyboard: a 2 px accent edge. */
  current?: boolean
  /** Offset in the body, in px. */
  top: number
}

const rowStyles =
  'group/row absolute inset-x-0 grid h-(--row) grid-cols-(--columns) border-b border-line text-fg-2 contain-layout group-data-[density=compact]/table:h-(--row-compact) hover:bg-hover'

export function TableRow({ selected, current, top, className = '', ...rest }: TableRowProps) {
  const state = selected ? 'bg-selected hover:bg-selected' : current ? 'bg-hover' : ''
  const edge = current ? '[&>:first-child]:shadow-[inset_2px_0_0_var(--accent)]' : ''
  // No cn: scrolling renders dozens of these per frame.
  return (
    <div
      role="row"
      aria-selected={selected}
      data-current={current || undefined}
      className={`${rowStyles} ${state} ${edge} ${className}`}
      style={{ top }}
      {...rest}
    />
  )
}

interface TdProps extends ComponentProps<'div'> {
  numeric?: boolean
  /** Content never overflows, or truncates itself. */
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

/** Text of an empty cell. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="text-fg-3">{children}</span>
}
