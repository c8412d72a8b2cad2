import { CircleAlert } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { severeFirst, type RaisedFlag } from '../rules.ts'

interface RedFlagsProps {
  flags: readonly RaisedFlag[]
  /** The label of a question, where the answers are not in sight. */
  labelOf?: (question: string) => string | undefined
}

/**
 * The red flags of a submitted form, those that add an alert to the chart first. Where the questions are not named, several with the same
 * message are one line. Nothing without any.
 */
export function RedFlags({ flags, labelOf }: RedFlagsProps) {
  if (flags.length === 0) return null
  const sorted = severeFirst(flags)
  const shown = labelOf ? sorted : sorted.filter(({ message }, at) => sorted.findIndex((one) => one.message.en === message.en) === at)
  return (
    <section aria-labelledby="red-flags">
      <h3 id="red-flags" className="border-b border-line pb-2 text-title font-semibold">
        Red flags
      </h3>
      <ul aria-label="Red flags" className={cn('flex gap-x-6 gap-y-2 pt-3 text-sm text-fg', labelOf ? 'flex-col' : 'flex-wrap')}>
        {shown.map(({ question, message }) => {
          const count = labelOf ? 1 : sorted.filter((one) => one.message.en === message.en).length
          return (
            <li key={question} className="flex gap-2.5">
              <CircleAlert aria-hidden="true" className="mt-0.5 flex-none text-danger-fg" />
              <span className="min-w-0">
                <strong className="block font-semibold text-danger-fg">
                  {message.en}
                  {count > 1 && <span className="font-regular text-fg-2"> ({count} answers)</span>}
                </strong>
                {labelOf && <span className="block text-fg-2">{labelOf(question)}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
