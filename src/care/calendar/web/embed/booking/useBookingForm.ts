import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../../ui/client/api.ts'
import { type Booking, type BookingKind, useBookingCache } from './bookings.ts'
import { type Overlap, refusalOf } from '../refusal.ts'

/** Errors by field; those without a field are in `form`. */
export type Problems<Values> = Readonly<Partial<Record<keyof Values | 'form', string>>>

/** The data that the form was filled from; `data` is null for a new booking. */
export interface Base<Values, Data> {
  data: Data | null
  values: Values
}

interface Options<Values, Data extends Booking> {
  kind: BookingKind<Data>
  /** Null for a new booking. */
  data: Data | null
  initial: Values
  valuesOf: (data: Data) => Values
  problemsOf: (values: Values) => Problems<Values>
  save: (values: Values, base: Base<Values, Data>, how: { idempotencyKey: string; outsideHours: boolean }) => Promise<Data>
  /** The errors for an overlap, by field. */
  overlapOf: (overlap: Overlap, values: Values) => Problems<Values>
  onSaved: (after: Data) => void
}

/** The part of the form state that the dialog needs. */
export interface BookingFormState {
  problems: { form?: string }
  /** A version that someone else has saved, or null. */
  conflict: object | null
  isDirty: boolean
  isBusy: boolean
  /** Changes with each attempt, to move the focus to the first error. */
  attempts: number
  submit: (outsideHours?: boolean) => Promise<void>
  resolveConflict: (choice: 'mine' | 'theirs') => void
}

/** Form values: text, ids, lists of ids and checkboxes. */
type Value = string | boolean | null | readonly string[]

const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The state of a booking form. Errors show after the first attempt to save. */
export function useBookingForm<Values extends { [Key in keyof Values]: Value }, Data extends Booking>(options: Options<Values, Data>) {
  const { kind, valuesOf, problemsOf } = options
  const { put, refresh } = useBookingCache(kind)
  const cache = useQueryClient()
  // One per opened form, so that repeated attempts book once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  // Replaced by the newer version if someone else has changed the booking.
  const [base, setBase] = useState<Base<Values, Data>>({ data: options.data, values: options.initial })
  const [values, setValues] = useState(options.initial)
  const nothing = {} as Problems<Values>
  const [refused, setRefused] = useState(nothing)
  const [isClosed, setClosed] = useState(false)
  const [conflict, setConflict] = useState<Data | null>(null)
  /** Changes with each attempt, to move the focus to the first error. */
  const [attempts, setAttempts] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const invalid = problemsOf(values)
  const problems: Problems<Values> = attempts === 0 ? nothing : { ...invalid, ...refused }
  const changed = (Object.keys(values) as (keyof Values)[]).filter((key) => !isSame(values[key], base.values[key]))

  function change(next: Values) {
    setValues(next)
    setRefused(nothing)
    setClosed(false)
  }

  async function submit(outsideHours = false) {
    if (isBusy) return
    setAttempts(attempts + 1)
    setRefused(nothing)
    setClosed(false)
    if (Object.keys(invalid).length > 0) return
    setBusy(true)
    try {
      const after = await options.save(values, base, { idempotencyKey, outsideHours })
      put(after)
      refresh()
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      options.onSaved(after)
    } catch (error) {
      setBusy(false)
      setAttempts(attempts + 2)
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'outside-hours') setClosed(true)
      else if (refusal.kind === 'conflict') setConflict(() => refusal.current)
      else if (refusal.kind === 'overlap') setRefused(options.overlapOf(refusal.overlap, values))
      else if (refusal.kind === 'fields') setRefused(refusal.fields as Problems<Values>)
      else setRefused({ form: refusal.message } as Problems<Values>)
      // Someone else may just have taken the time: shows what is left.
      if (refusal.kind === 'overlap' || refusal.kind === 'message') refresh()
    }
  }

  /** Resolves a conflict by keeping the typed changes or the other version. */
  function resolveConflict(choice: 'mine' | 'theirs') {
    if (!conflict) return
    const theirs = valuesOf(conflict)
    setValues(choice === 'mine' ? { ...theirs, ...Object.fromEntries(changed.map((key) => [key, values[key]])) } : theirs)
    setBase({ data: conflict, values: theirs })
    setConflict(null)
  }

  return { values, change, problems, isDirty: changed.length > 0, isBusy, attempts, submit, conflict, resolveConflict, isClosed }
}
