import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, messageOf, orpc } from '../ui/client/api.ts'
import { CheckboxLine } from '../ui/controls/Checkbox.tsx'
import { ConfirmDialog } from '../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../ui/overlays/toast.ts'
import { HeldMoneyNotice, useHeldMoney } from '../billing/prepaid/web/embed/HeldMoney.tsx'
import { type ContactData, fullName } from '../crm/contacts/web/embed/contact-data.ts'
import { recallPlace } from '../crm/contacts/web/embed/list-place.ts'

/** Confirms the deletion of a patient, which can be undone for a day unless it is permanent. */
export default function DeleteDialog({ contact, onClose }: { contact: ContactData; onClose: () => void }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [isPermanent, setPermanent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const held = useHeldMoney(contact.id)
  const name = fullName(contact)

  async function undo(id: string) {
    try {
      await client.bulkChanges.undo({ id })
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      toast.success(`${name} is being restored`)
    } catch (error) {
      toast.error(`${name} was not restored`, messageOf(error), () => void undo(id))
    }
  }

  async function confirm() {
    setBusy(true)
    try {
      const { id } = await client.bulkChanges.start({ selection: { ids: [contact.id] }, change: { kind: 'delete', forGood: isPermanent } })
      await navigate({ to: '/contacts', search: recallPlace()?.search ?? {}, replace: true })
      cache.removeQueries({ queryKey: orpc.contacts.get.key({ input: { id: contact.id } }) })
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      if (isPermanent) toast.success(`${name} was deleted permanently`)
      else toast.undoable(`${name} was deleted`, () => void undo(id))
    } catch (error) {
      setBusy(false)
      toast.error(`${name} was not deleted`, messageOf(error))
    }
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      action={{ label: 'Delete patient', busyLabel: 'Deleting…', isDanger: true, isUnready: held.isLoading || held.keeps.length > 0 }}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>
        {name}
        {contact.email ? ` (${contact.email})` : ''} is deleted with everything in their record.{' '}
        {isPermanent ? 'This cannot be undone.' : 'You can undo this for 24 hours.'}
      </p>
      <HeldMoneyNotice keeps={held.keeps} giftCards={held.giftCards} className="mt-4" />
      <CheckboxLine
        checked={isPermanent}
        onCheckedChange={setPermanent}
        hint="No copy is kept. Use this when a patient requests erasure."
        className="pt-4"
      >
        Delete permanently
      </CheckboxLine>
    </ConfirmDialog>
  )
}
