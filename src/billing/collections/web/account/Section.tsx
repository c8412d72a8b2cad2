import type { ReactNode } from 'react'

/** A section of an account, separated by a hairline. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-4 pb-5">
      <h3 className="pb-1 text-title font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** A row of an account: text on the left, aligned amounts on the right. */
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
  /** A button whose label needs its own line. */
  below?: ReactNode
  amount?: ReactNode
  /** Under the amount. */
  detail?: ReactNode
  /** Shown before the amount, so that all amounts stay aligned. */
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
