import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../../ui/client/refusal.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { PanelSection } from '../../../../ui/Facts.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { toast } from '../../../../ui/toast.ts'
import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import type { ConversationData } from '../inbox-data.ts'
import { namesOf } from './sender-name.ts'

/** Someone whom no patient's address leads to: one click makes a patient of them, or says which one it is. */
export function UnknownSender({ conversation }: { conversation: ConversationData }) {
  const { id, name, address } = conversation
  const cache = useQueryClient()
  const [names, setNames] = useState(() => namesOf(name, address))
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState<'create' | 'link' | null>(null)

  async function link(action: 'create' | 'link') {
    if (busy) return
    const lastName = names.lastName.trim()
    if (action === 'create' && !lastName) {
      setProblem('Last name is required')
      return
    }
    setBusy(action)
    setProblem(null)
    try {
      const sender = action === 'link' ? { contactId: chosen! } : { firstName: names.firstName.trim() || null, lastName }
      const { contact } = await client.inbox.link({ id, ...sender })
      toast.success(
        action === 'create' ? 'Patient created' : 'Linked to the patient',
        contact ? `${contact.firstName} ${contact.lastName}` : undefined,
      )
      void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
    } catch (error) {
      // Whose it is appears here in a moment, instead of this.
      if (codeOf(error) === 'LINKED_ALREADY') {
        toast.error(action === 'create' ? 'No patient was created' : 'Not linked to the patient', messageOf(error))
        void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
        return
      }
      const [wrongName] = Object.values(fieldErrorsOf(error))
      setProblem(wrongName ?? `${messageOf(error)} Nothing was changed.`)
    } finally {
      setBusy(null)
    }
  }

  return (
    <>
      <PanelSection title="Unknown sender">
        <p className="pb-3 text-sm break-words text-fg-2">
          {name ? `${name}, ` : ''}
          {address}. This conversation is no patient’s yet.
        </p>
        {problem && (
          <Alert tone="danger" className="mb-3">
            {problem}
          </Alert>
        )}
        <form
          aria-label="New patient"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void link('create')
          }}
        >
          <Field label="First name" optional>
            <Input value={names.firstName} maxLength={100} onChange={({ target }) => setNames({ ...names, firstName: target.value })} />
          </Field>
          <Field label="Last name">
            <Input value={names.lastName} maxLength={100} onChange={({ target }) => setNames({ ...names, lastName: target.value })} />
          </Field>
          <Button type="submit" busy={busy === 'create'} busyLabel="Creating...">
            Create patient
          </Button>
        </form>
      </PanelSection>
      <PanelSection title="Link to existing patient">
        <div className="flex flex-col gap-3">
          <ContactPicker aria-label="Patient" value={chosen} onValueChange={setChosen} clearable />
          <Button disabled={chosen === null} busy={busy === 'link'} busyLabel="Linking..." onClick={() => void link('link')}>
            Link to the patient
          </Button>
        </div>
      </PanelSection>
    </>
  )
}
