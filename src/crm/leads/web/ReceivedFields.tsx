import { Check } from 'lucide-react'
import type { Client } from '../../../ui/client/api.ts'
import { cn } from '../../../ui/cn.ts'

export type Received = Awaited<ReturnType<Client['leads']['queue']>>['data'][number]['received']

interface ReceivedFieldsProps {
  title: string
  received: Received
  /** What a click on a field does, for a screen reader: 'Use for Email'. */
  action: string
  isUsed: (field: Received[number]) => boolean
  onChoose: (field: Received[number]) => void
}

/** The received fields of a form; clicking one assigns it. */
export function ReceivedFields({ title, received, action, isUsed, onChoose }: ReceivedFieldsProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="pb-1.5 text-sm font-medium text-fg">{title}</h3>
      {received.length === 0 ? (
        <p className="text-sm text-fg-3">No fields were received.</p>
      ) : (
        <ul className="-mx-2 max-h-48 overflow-y-auto md:max-h-104">
          {received.map((field) => (
            <li key={field.name}>
              <button
                type="button"
                aria-label={`${field.name}: ${field.value.slice(0, 100)}. ${action}`}
                onClick={() => onChoose(field)}
                className={cn(
                  'flex min-h-11 w-full items-start gap-2 rounded-sm px-2 py-1.5 text-left hover:bg-hover md:min-h-9',
                  isUsed(field) && 'bg-selected',
                )}
              >
                <span className="min-w-0 flex-1">
                  <span className="block text-xs wrap-anywhere text-fg-3">{field.name}</span>
                  <span className="line-clamp-3 text-sm wrap-anywhere text-fg">{field.value}</span>
                </span>
                {isUsed(field) && <Check aria-hidden="true" className="mt-0.5 flex-none text-accent-fg" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
