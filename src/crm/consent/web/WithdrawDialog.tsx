import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { ConsentChannel } from '../rules.ts'
import { type ChannelChoice, channelChoices, channelsIn } from './labels.ts'

interface WithdrawDialogProps {
  contactId: string
  /** The channels that the patient may be reached by now. */
  live: readonly ConsentChannel[]
  onClose: () => void
}

/** Withdraws a patient’s consent, to one channel or to all. */
export default function WithdrawDialog({ contactId, live, onClose }: WithdrawDialogProps) {
  const cache = useQueryClient()
  const [choice, setChoice] = useState<ChannelChoice>('both')
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
      onConfirm={() => withdraw.mutate({ id: contactId, channels: channelsIn(choice) })}
    >
      <p>The patient will no longer get marketing this way. Codes, receipts and reminders are still sent.</p>
      {live.length > 1 && (
        <Field label="Consent to" className="pt-4">
          <Select value={choice} onValueChange={(next) => next && setChoice(next)} options={channelChoices} />
        </Field>
      )}
    </ConfirmDialog>
  )
}
