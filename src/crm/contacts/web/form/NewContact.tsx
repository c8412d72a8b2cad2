import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { SimilarPatients } from '../../../duplicates/web/embed/SimilarPatients.tsx'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { applyFieldErrors } from '../../../../ui/client/form-errors.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { toast } from '../../../../ui/toast.ts'
import { contactMessages } from '../../contract.ts'
import { fullName } from '../embed/contact-data.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { recallPlace } from '../embed/list-place.ts'
import { ownerOfEmail } from '../embed/refusals.ts'
import type { ReadyContact } from '../embed/form/check-contact.ts'
import { EmailField, type EmailOwner, taken } from '../embed/form/EmailField.tsx'
import { FormFrame } from './FormFrame.tsx'
import { useContactForm } from '../embed/form/useContactForm.ts'
import { useUnsavedGuard } from '../../../../ui/useUnsavedGuard.tsx'

/** Spec 2: /contacts/new. */
export function NewContact() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const directory = useDirectory()
  const { form, clinical, clock } = useContactForm(null)
  const create = useMutation(orpc.contacts.create.mutationOptions())
  const [owner, setOwner] = useState<EmailOwner | null>(null)
  const { isDirty } = form.formState
  const [firstName, lastName, email, phone] = useWatch({ control: form.control, name: ['firstName', 'lastName', 'email', 'phone'] })
  const typed = { firstName, lastName, email, phone }
  const guard = useUnsavedGuard(() => isDirty)

  // Anyone who has a caller on the line types at once.
  useEffect(() => form.setFocus('firstName'), [form])

  async function add({ fields }: ReadyContact, allowDuplicateEmail = false) {
    try {
      // The check has seen to the names.
      const { firstName = '', lastName = '' } = fields
      const contact = await create.mutateAsync({ ...fields, firstName, lastName, ...(allowDuplicateEmail && { allowDuplicateEmail }) })
      cache.setQueryData(orpc.contacts.get.queryKey({ input: { id: contact.id } }), contact)
      void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
      toast.success(`${fullName(contact)} was added`)
      guard.leave(() => void navigate({ to: '/contacts/$id', params: { id: contact.id }, replace: true }))
    } catch (error) {
      const existing = ownerOfEmail(error)
      if (existing) {
        setOwner(existing)
        form.setError('email', { type: taken, message: contactMessages.emailTaken }, { shouldFocus: true })
      } else if (!applyFieldErrors(form, error)) {
        toast.error('The patient was not added', `${messageOf(error)} What you typed is kept.`)
      }
    }
  }

  return (
    <>
      <TopbarTitle title="New patient" />
      <FormFrame
        form={form}
        directory={directory}
        clinical={clinical}
        clock={clock}
        busy={create.isPending}
        submitLabel="Add patient"
        cancel={{ to: '/contacts', search: recallPlace()?.search ?? {} }}
        onSubmit={(ready) => add(ready)}
        notice={<SimilarPatients typed={typed} onUse={(id) => void navigate({ to: '/contacts/$id', params: { id } })} />}
        email={
          <EmailField
            control={form.control}
            owner={owner}
            busy={create.isPending}
            onAddAnyway={() => void form.handleSubmit((ready) => add(ready, true))()}
          />
        }
      />
      {guard.dialog}
    </>
  )
}
