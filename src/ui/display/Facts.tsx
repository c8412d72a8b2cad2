import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

/** A section of the record panel: a heading, then Facts; hairlines between sections. */
export function PanelSection({
  title,
  action,
  children,
  className,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={cn('border-b border-line px-5 py-4 last:border-b-0', className)}>
      <div className="flex items-center justify-between gap-2 pb-2">
        <h2 className="text-sm font-semibold text-fg">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Rows with a 116 px label and a value. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cn('flex flex-col gap-1.5', className)}>{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-5 gap-0 text-sm">
      <dt className="w-29 flex-none text-fg-3">{label}</dt>
      <dd className="min-w-0 flex-1 break-words text-fg">{children}</dd>
    </div>
  )
}
