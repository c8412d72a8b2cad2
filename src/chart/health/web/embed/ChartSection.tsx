import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'

interface ChartSectionProps {
  title: string
  /** After the title: '2 active'. */
  summary?: string
  /** Shown when the pointer rests on the summary. */
  summaryTitle?: string | undefined
  actions?: ReactNode
  /** On phones sections are closed at first, except for this one. */
  isFirst?: boolean
  className?: string
  children: ReactNode
}

/** A section of the chart: a heading over a hairline, and its content. On phones the heading opens and closes it. */
export function ChartSection({ title, summary, summaryTitle, actions, isFirst = false, className, children }: ChartSectionProps) {
  const phone = usePhone()
  const id = useId()
  const [isOpen, setOpen] = useState(isFirst)
  const heading = (
    <>
      {title}
      {summary && (
        <span title={summaryTitle} className="pl-2 text-sm font-regular text-fg-3">
          {summary}
        </span>
      )}
    </>
  )
  if (!phone) {
    return (
      <section aria-labelledby={id} className={className}>
        <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-1 border-b border-line pb-1">
          <h2 id={id} className="text-md font-semibold text-fg">
            {heading}
          </h2>
          {actions && <div className="-mr-2.5 flex flex-wrap items-center gap-1">{actions}</div>}
        </div>
        {children}
      </section>
    )
  }
  return (
    <section aria-labelledby={id} className="border-b border-line">
      <h2 id={id} className="text-md font-semibold text-fg">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-12 w-full items-center justify-between gap-3 text-left outline-offset-[-2px]"
        >
          <span>{heading}</span>
          <ChevronDown aria-hidden="true" className={cn('flex-none text-fg-3', isOpen && 'rotate-180')} />
        </button>
      </h2>
      {/* Kept while closed, so that unsaved input survives. */}
      <div hidden={!isOpen} className="pb-3">
        {children}
        {actions && <div className="flex flex-wrap items-center gap-2 pt-2">{actions}</div>}
      </div>
    </section>
  )
}
