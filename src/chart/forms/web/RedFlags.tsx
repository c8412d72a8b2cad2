import { CircleAlert } from 'lucide-react'
import { severeFirst, type RaisedFlag } from '../rules.ts'

interface RedFlagsProps {
  flags: readonly RaisedFlag[]
  /** The label of a question, where the answers are not in sight. */
  labelOf?: (question: string) => string | undefined
}

/** The red flags of a submitted form, those that add an alert to the chart first. */
export function RedFlags({ flags, labelOf }: RedFlagsProps) {
  return (
    <ul aria-label="Red flags" className="flex flex-col gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-sm text-fg">
      {severeFirst(flags).map(({ question, message }) => (
        <li key={question} className="flex gap-3">
          <CircleAlert aria-hidden="true" className="mt-0.5 flex-none text-danger-fg" />
          <span className="min-w-0 flex-1">
            <strong className="block font-semibold">{message.en}</strong>
            {labelOf && <span className="block text-fg-2">{labelOf(question)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
