import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { codeOf, messageOf, orpc } from '../../../../web/api.ts'
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { type ContactData, fullName } from '../embed/contact-data.ts'
import { recallPlace } from '../list/list-place.ts'

/** Names the patient and all that goes with them: a deletion cannot be undone. */
export default function DeleteDialog({ contact, onClose }: { contact: ContactData; onClose: () => void }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const remove = useMutation(orpc.contacts.delete.mutationOptions())
  const name = fullName(contact)

  async function confirm() {
    try {
      await remove.mutateAsync({ id: contact.id })
    } catch (error) {
      // Somebody else was faster: what was wanted is so.
      if (codeOf(error) !== 'NOT_FOUND') {
        toast.error(`${name} was not deleted`, messageOf(error))
        return
      }
    }
    await navigate({ to: '/contacts', search: recallPlace()?.search ?? {}, replace: true })
    cache.removeQueries({ queryKey: orpc.contacts.get.key({ input: { id: contact.id } }) })
    void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
    toast.success(`${name} was deleted`)
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete patient"
      busyLabel="Deleting..."
      busy={remove.isPending}
      danger
      onConfirm={() => void confirm()}
    >
      {name}
      {contact.email ? ` (${contact.email})` : ''} is deleted with the timeline, tags, stage history and lead forms. This cannot be undone.
    </ConfirmDialog>
  )
}
