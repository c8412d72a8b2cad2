import { useForm } from 'react-hook-form'
import { usePractice, useClock, useSession } from '../../../../../ui/client/session.ts'
import { today } from '../../../../../ui/format.ts'
import { seesClinicalNotes } from '../../../policy.ts'
import type { ContactData } from '../contact-data.ts'
import { checkContact, type ReadyContact } from './check-contact.ts'
import { valuesBehind } from './conflict.ts'
import { blankValues, type ContactFields, type ContactFormValues, valuesOf } from './form-values.ts'

/** The form over a contact, or over none yet. Checked by the contract on submit, then live once an error shows. */
export function useContactForm(base: ContactData | null) {
  const { timeZone } = usePractice()
  const clock = useClock()
  const { user } = useSession()
  const clinical = seesClinicalNotes(user)
  const form = useForm<ContactFormValues, unknown, ReadyContact>({
    defaultValues: base ? valuesOf(base, timeZone) : blankValues,
    resolver: (values) => {
      const checked = checkContact(values, { base, timeZone, today: today(clock), clinical })
      if (!('errors' in checked)) return { values: checked, errors: {} }
      const errors = Object.entries(checked.errors).map(([field, message]) => [field, { type: 'check', message }])
      return { values: {}, errors: Object.fromEntries(errors) as Record<string, { type: string; message: string }> }
    },
  })

  /** Goes on over a newer version of the contact, with what stays ours still typed in it. */
  function rebase(current: ContactData, ours: Partial<ContactFields>) {
    const typed = form.getValues()
    const theirs = valuesOf(current, timeZone)
    const kept = Object.fromEntries(valuesBehind(ours).map((name) => [name, typed[name as keyof ContactFormValues]]))
    form.reset(theirs)
    form.reset({ ...theirs, ...kept }, { keepDefaultValues: true })
  }

  return { form, clinical, clock, rebase }
}

export type ContactForm = ReturnType<typeof useContactForm>['form']
