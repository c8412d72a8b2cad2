import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../../ui/client/api.ts'
import { usePractice, useClock, useSession } from '../../../../../ui/client/session.ts'
import { today } from '../../../../../ui/format.ts'
import { type ActionFormOptions, type FormFields, useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { seesClinicalNotes } from '../../../policy.ts'
import type { ContactData } from '../contact-data.ts'
import { type Conflict, conflictOf } from '../refusals.ts'
import { chartedMessage } from '../../../rules.ts'
import { checkContact } from './check-contact.ts'
import { type Choices, valuesBehind, withoutTheirs } from './conflict.ts'
import { blankValues, type ContactFields, type ContactFormValues, valuesOf } from './form-values.ts'

interface Saving extends Pick<ActionFormOptions<ContactFormValues, unknown>, 'failed' | 'onRefused'> {
  /** Sends the filled fields of a new contact or the changed ones of an existing one, with the version they are based on. */
  send: (fields: Partial<ContactFields>, version: number) => Promise<unknown>
}

/**
 * The form for a new or existing contact, validated by the contract. If someone else changed the same fields, `conflict` is set, the user
 * decides each, and the rest is saved on top of their version, so that nothing is overwritten unseen.
 */
export function useContactForm(contact: ContactData | null, { send, ...options }: Saving) {
  const { timeZone } = usePractice()
  const clock = useClock()
  const cache = useQueryClient()
  const { user } = useSession()
  const clinical = seesClinicalNotes(user)
  const [base, setBase] = useState(contact)
  const [mine, setMine] = useState<Partial<ContactFields>>({})
  const read = (values: ContactFormValues) => checkContact(values, { base, timeZone, today: today(clock), clinical })
  function sendFields(fields: Partial<ContactFields>, version: number) {
    setMine(fields)
    return send(fields, version)
  }
  const form = useActionForm<ContactFormValues, unknown, Conflict>({
    ...options,
    initial: () => (base ? valuesOf(base, timeZone) : blankValues),
    check(values) {
      const checked = read(values)
      return 'errors' in checked ? checked.errors : {}
    },
    send(values) {
      const checked = read(values)
      return sendFields('errors' in checked ? {} : checked.fields, base?.version ?? 0)
    },
    theirs: conflictOf,
  })

  /** Rebases the form on their version with the user's remaining changes, and saves it. */
  async function resolveConflict({ current }: Conflict, choices: Choices): Promise<boolean> {
    const ours = withoutTheirs(mine, choices)
    setBase(current)
    cache.setQueryData(orpc.contacts.get.queryKey({ input: { id: current.id } }), current)
    form.rebase(valuesOf(current, timeZone), valuesBehind(ours))
    return form.sendAnyway(() => sendFields(ours, current.version))
  }

  const fixed: Fixed = base?.weightLossFromChart ? { weightLossMedication: chartedMessage } : {}
  return { form: { ...form, fixed }, base, mine, resolveConflict, clinical, clock }
}

/** Fields that cannot be changed, each with the reason. */
type Fixed = Partial<Record<keyof ContactFormValues, string>>

/** The field bindings of the contact form. */
export type ContactForm = FormFields<ContactFormValues> & { fixed?: Fixed }
