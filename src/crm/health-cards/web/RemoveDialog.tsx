import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { maskNumber } from '../rules.ts'
import type { HealthCardData } from './embed/useHealthCard.ts'

export default function RemoveDialog({ contactId, card, onClose }: { contactId: string; card: HealthCardData; onClose: () => void }) {
  const cache = useQueryClient()
  const remove = useMutation(
    orpc.healthCards.remove.mutationOptions({
      onSuccess(state) {
        cache.setQueryData(orpc.healthCards.get.queryKey({ input: { contactId } }), state)
        toast.success('Health card removed')
        onClose()
      },
      onError: (error) => toast.error('Couldn’t remove the health card', messageOf(error)),
    }),
  )
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove the health card?"
      action={{ label: 'Remove health card', busyLabel: 'Removing…', isDanger: true }}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ contactId })}
    >
      The number {maskNumber(card.lastDigits)} is deleted. To have it again, someone has to enter it.
    </ConfirmDialog>
  )
}
