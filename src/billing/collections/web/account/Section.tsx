import type { ReactNode } from 'react'

/** A part of an account; they part by a hairline. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-4 pb-5">
      <h3 className="pb-1 text-title font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** A line of an account: words at the left, cents under cents at the right. */
export function Line({
  title,
  facts,
  below,
  amount,
  detail,
  action,
}: {
  title: ReactNode
  facts?: ReactNode
  /** A button whose words need a line of their own. */
  below?: ReactNode
  amount?: ReactNode
  /** Under the amount. */
  detail?: ReactNode
  /** Before the amount, so that all cents of an account stand under one another. */
  action?: ReactNode
}) {
  return (
    <div className="flex items-start gap-3 py-2 text-sm">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words text-fg">{title}</p>
        {facts && <p className="text-xs break-words text-fg-3">{facts}</p>}
        {below}
      </div>
      {action}
      {amount !== undefined && (
        <div className="min-w-24 flex-none text-right tabular-nums">
          <p className="text-fg">{amount}</p>
          {detail && <p className="text-xs text-fg-3">{detail}</p>}
        </div>
      )}
    </div>
  )
}
