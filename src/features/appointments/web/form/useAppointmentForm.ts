import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { overlapInWords, refusalOf } from '../refusals.ts'
import { useAppointmentCache } from '../useAppointmentCache.ts'
import type { Names } from '../words.ts'
import { useAddress } from './useAddress.ts'
import { type AppointmentValues, changesOf, type Problems, problemsOf, sentOf, valuesOf } from './appointment-values.ts'

interface Options {
  /** Null: a new one. */
  appointment: AppointmentData | null
  initial: AppointmentValues
  names: Names
  onSaved: (after: AppointmentData) => void
}

/** The form over an appointment, or over none yet. What is wrong shows from the first try on. */
export function useAppointmentForm({ appointment, initial, names, onSaved }: Options) {
  const { timeZone } = useClock()
  const cache = useQueryClient()
  const { put, refresh } = useAppointmentCache()
  // One for each time that the form is opened: whatever is sent again, it is booked once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  // What the form was filled from; a newer one once somebody else has changed it.
  const [base, setBase] = useState({ appointment, values: initial })
  const [values, setValues] = useState(initial)
  const [refused, setRefused] = useState<Problems>({})
  const [isClosed, setClosed] = useState(false)
  const [conflict, setConflict] = useState<AppointmentData | null>(null)
  /** Changes with each try, for the focus. */
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const wrong = problemsOf(values)
  const problems: Problems = tries === 0 ? {} : { ...wrong, ...refused }
  const address = useAddress(values.contactId)
  const isDirty = (Object.keys(values) as (keyof AppointmentValues)[]).some((key) => values[key] !== base.values[key])

  function change(next: AppointmentValues) {
    setValues(next)
    setRefused({})
    setClosed(false)
  }

  async function save(outsideHours: boolean): Promise<AppointmentData> {
    if (!base.appointment) {
      const tellsPatient = values.tellsPatient && address !== null
      return client.appointments.book({
        ...sentOf(values, timeZone),
        tellsPatient,
        contactId: values.contactId!,
        idempotencyKey,
        outsideHours,
      })
    }
    const { id, version } = base.appointment
    return client.appointments.change({ id, version, ...changesOf(values, base.values, timeZone), outsideHours })
  }

  async function submit(outsideHours = false) {
    if (isBusy) return
    setTries(tries + 1)
    setRefused({})
    setClosed(false)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const after = await save(outsideHours)
      put(after)
      refresh()
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      onSaved(after)
    } catch (error) {
      setBusy(false)
      setTries(tries + 2)
      const refusal = refusalOf(error)
      if (refusal.kind === 'outside-hours') setClosed(true)
      else if (refusal.kind === 'conflict') setConflict(refusal.current)
      else if (refusal.kind === 'overlap') {
        const { what } = refusal.overlap
        setRefused({ [what === 'provider' ? 'providerId' : 'roomId']: overlapInWords(refusal.overlap, values, names, timeZone) })
        refresh()
      } else setRefused(refusal.kind === 'fields' ? refusal.fields : { form: refusal.message })
    }
  }

  /** Goes on over what somebody else has saved: with what is typed, or with theirs. */
  function settle(keep: 'mine' | 'theirs') {
    if (!conflict) return
    const theirs = valuesOf(conflict, timeZone)
    const mine = (Object.keys(values) as (keyof AppointmentValues)[]).filter((key) => values[key] !== base.values[key])
    setValues(keep === 'mine' ? { ...theirs, ...Object.fromEntries(mine.map((key) => [key, values[key]])) } : theirs)
    setBase({ appointment: conflict, values: theirs })
    setConflict(null)
  }

  return { values, change, problems, isDirty, isBusy, tries, submit, conflict, settle, isClosed }
}
