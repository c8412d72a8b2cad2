import { CircleCheckBig, ListTodo } from 'lucide-react'
import type { SurgeryInList } from '../surgery-data.ts'
import { formatReadiness } from '../labels.ts'

/** Whether a surgery is ready, and what is outstanding. */
export function Readiness({ surgery }: { surgery: SurgeryInList }) {
  const readiness = formatReadiness(surgery)
  if (!readiness) return null
  const isReady = surgery.shownStatus === 'ready'
  const Icon = isReady ? CircleCheckBig : ListTodo
  return (
    <div role="status" className={`flex gap-2.5 rounded-md px-3 py-2.5 text-sm text-fg ${isReady ? 'bg-success-soft' : 'bg-hover'}`}>
      <Icon aria-hidden="true" className={`mt-0.5 flex-none ${isReady ? 'text-success-fg' : 'text-fg-3'}`} />
      <p className="min-w-0">
        <strong className="font-semibold">{readiness.title}</strong> {readiness.text}
      </p>
    </div>
  )
}
