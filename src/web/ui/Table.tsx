import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

interface TableProps extends ComponentProps<'table'> {
  /** 'default' is 44 high with two lines, 'compact' 36 with one. */
  density?: 'default' | 'compact'
}

/** Put it into an element that scrolls; the head sticks to its top. Column widths: give the `th` a width class and the table `table-fixed`. */
export function Table({ density = 'default', className, ...rest }: TableProps) {
  return (
    <table
      data-density={density}
      // Separate borders: collapsed ones scroll away under a sticky head.
      className={cn('group/table w-full border-separate border-spacing-0 text-left text-sm', className)}
      {...rest}
    />
  )
}

export function TableHead({ className, children, ...rest }: ComponentProps<'thead'>) {
  return (
    <thead className={cn('sticky top-0 z-(--z-sticky) bg-subtle', className)} {...rest}>
      <tr>{children}</tr>
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
      scope="col"
      className={cn(
        'h-(--row-head) border-b border-line px-2 text-xs font-medium whitespace-nowrap text-fg-3 first:pl-6 last:pr-6',
        numeric && 'text-right',
        className,
      )}
      {...rest}
    />
  )
}

interface TableRowProps extends ComponentProps<'tr'> {
  selected?: boolean
  /** The row that the keyboard is on: a 2 px accent edge. */
  current?: boolean
}

export function TableRow({ selected, current, className, ...rest }: TableRowProps) {
  return (
    <tr
      aria-selected={selected}
      data-current={current || undefined}
      className={cn(
        'group/row relative h-(--row) transition-colors duration-(--dur-1) group-data-[density=compact]/table:h-(--row-compact) hover:bg-hover',
        current && 'bg-hover [&>td:first-child]:shadow-[inset_2px_0_0_var(--accent)]',
        selected && 'bg-selected hover:bg-selected',
        className,
      )}
      {...rest}
    />
  )
}

interface TdProps extends ComponentProps<'td'> {
  numeric?: boolean
}

export function Td({ numeric, className, ...rest }: TdProps) {
  return (
    <td
      className={cn(
        'max-w-0 truncate border-b border-line px-2 text-fg-2 first:pl-6 last:pr-6',
        numeric && 'text-right tabular-nums',
        className,
      )}
      {...rest}
    />
  )
}

/** What an empty cell says. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="text-fg-3">{children}</span>
}
