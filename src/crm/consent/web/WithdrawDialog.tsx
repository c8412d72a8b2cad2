import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'

export default function WithdrawDialog({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const cache = useQueryClient()
  const withdraw = useMutation(
    orpc.consent.withdraw.mutationOptions({
      onSuccess(state) {
        cache.setQueryData(orpc.consent.get.queryKey({ input: { id: contactId } }), state)
        void cache.invalidateQueries({ queryKey: orpc.contacts.get.key({ input: { id: contactId } }) })
        toast.success('Consent withdrawn')
        onClose()
      },
      onError: (error) => toast.error('Couldn’t withdraw consent', messageOf(error)),
    }),
  )
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Withdraw the patient’s consent?"
      action={{ label: 'Withdraw consent', busyLabel: 'Withdrawing…', isDanger: true }}
      isBusy={withdraw.isPending}
      onConfirm={() => withdraw.mutate({ id: contactId })}
    >
      The patient will no longer get marketing email. Codes, receipts and reminders are still sent.
    </ConfirmDialog>
  )
}
