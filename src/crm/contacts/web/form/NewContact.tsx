import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SimilarPatients } from '../../../duplicates/web/embed/SimilarPatients.tsx'
import { orpc } from '../../../../ui/client/api.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { contactMessages } from '../../contact-contract.ts'
import { fullName } from '../embed/contact-data.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { recallPlace } from '../embed/list-place.ts'
import { ownerOfEmail } from '../embed/refusals.ts'
import { EmailField, type EmailOwner } from '../embed/form/EmailField.tsx'
import { FormFrame } from './FormFrame.tsx'
import { useContactForm } from '../embed/form/useContactForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'

/** /contacts/new (spec 2). */
export function NewContact() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const directory = useDirectory()
  const create = useMutation(orpc.contacts.create.mutationOptions())
  const [owner, setOwner] = useState<EmailOwner | null>(null)
  const mayShareEmail = useRef(false)
  const { form, clinical, clock } = useContactForm(null, {
    async send(fields) {
      const allowDuplicateEmail = mayShareEmail.current
      // The form check requires both names.
      const { firstName = '', lastName = '' } = fields
      const contact = await create.mutateAsync({ ...fields, firstName, lastName, ...(allowDuplicateEmail && { allowDuplicateEmail }) })
      cache.setQueryData(orpc.contacts.get.queryKey({ input: { id: contact.id } }), contact)
      void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
      toast.success(`${fullName(contact)} was added`)
      guard.leave(() => void navigate({ to: '/contacts/$id', params: { id: contact.id }, replace: true }))
    },
    onRefused(error, problems) {
      const existing = ownerOfEmail(error)
      setOwner(existing)
      return existing ? { email: contactMessages.emailTaken } : problems
    },
    failed: (message) => toast.error('The patient was not added', `${message} What you typed is kept.`),
  })
  const { firstName, lastName, email, phone, dateOfBirth } = form.values
  const guard = useUnsavedGuard(() => form.isDirty)

  // Focused at once, for users with a caller on the line.
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector<HTMLElement>('[name="firstName"]')?.focus(), [])

  return (
    <div ref={fields} className="contents">
      <TopbarTitle title="New patient" />
      <FormFrame
        form={form}
        directory={directory}
        clinical={clinical}
        clock={clock}
        submitLabel="Add patient"
        cancel={{ to: '/contacts', search: recallPlace()?.search ?? {} }}
        notice={
          <SimilarPatients
            typed={{ firstName, lastName, email, phone, dateOfBirth }}
            onUse={(id) => void navigate({ to: '/contacts/$id', params: { id } })}
          />
        }
        email={
          <EmailField
            form={form}
            owner={owner}
            busy={form.isBusy}
            onAddAnyway={() => {
              mayShareEmail.current = true
              void form.submit().finally(() => {
                mayShareEmail.current = false
              })
            }}
          />
        }
      />
      {guard.dialog}
    </div>
  )
}
