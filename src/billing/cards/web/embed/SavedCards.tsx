import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatDay } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { cardName } from '../../../../shared/cards.ts'
import { shownExpiry } from '../../rules.ts'

/** The patient's saved cards, which staff remove when the patient asks for it. Nothing without one. */
export function SavedCards({ contactId }: { contactId: string }) {
  const clock = useClock()
  const may = usePermission()
  const cache = useQueryClient()
  const cards = useQuery(orpc.savedCards.ofContact.queryOptions({ input: { contactId }, enabled: may('savedCards.ofContact') }))
  const [removing, setRemoving] = useState<NonNullable<typeof cards.data>[number] | null>(null)
  const remove = useMutation(
    orpc.savedCards.remove.mutationOptions({
      onSuccess(left) {
        cache.setQueryData(orpc.savedCards.ofContact.queryKey({ input: { contactId } }), left)
        setRemoving(null)
        toast.success('Card removed')
      },
      onError: (error) => toast.error('Card not removed', messageOf(error)),
    }),
  )
  if (!cards.data || cards.data.length === 0) return null
  return (
    <section className="border-t border-line pt-4 pb-5">
      <h3 className="pb-1 text-title font-semibold">Saved cards</h3>
      <ul aria-label="Saved cards">
        {cards.data.map((card) => (
          <li key={card.id} className="flex items-start gap-3 py-2 text-sm">
            <div className="min-w-0 flex-1">
              <p className="font-medium text-fg">{cardName(card)}</p>
              <p className="text-xs text-fg-3">
                Expires {shownExpiry(card)} · consent given {formatDay(dayAt(new Date(card.consentedAt), clock.timeZone))}
              </p>
              <details className="text-xs text-fg-3">
                <summary className="cursor-pointer">Exact wording shown to the patient</summary>
                <p className="max-w-[70ch] pt-1">{card.consentText}</p>
              </details>
            </div>
            {may('savedCards.remove') && (
              <Button size="sm" aria-label={`Remove ${cardName(card)}`} onClick={() => setRemoving(card)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          onClose={() => setRemoving(null)}
          title={`Remove ${cardName(removing)}?`}
          action={{ label: 'Remove card', busyLabel: 'Removing…', isDanger: true }}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ id: removing.id })}
        >
          The card can no longer be charged. The patient can save it again with their next payment.
        </ConfirmDialog>
      )}
    </section>
  )
}
