import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../../ui/client/api.ts'
import { type Booking, type BookingKind, useBookingCache } from './bookings.ts'
import { type OverlapWords, refusalOf } from '../refusal.ts'

/** What is wrong, by its field; what belongs to none stands under `form`. */
export type Problems<Values> = Readonly<Partial<Record<keyof Values | 'form', string>>>

/** What the form was filled from: what there is, null where that is nothing yet. */
export interface Base<Values, Data> {
  data: Data | null
  values: Values
}

interface Options<Values, Data extends Booking> {
  kind: BookingKind<Data>
  /** Null: a new one. */
  data: Data | null
  initial: Values
  valuesOf: (data: Data) => Values
  problemsOf: (values: Values) => Problems<Values>
  save: (values: Values, base: Base<Values, Data>, how: { idempotencyKey: string; outsideHours: boolean }) => Promise<Data>
  /** By the field that is in the way. */
  overlapOf: (overlap: OverlapWords, values: Values) => Problems<Values>
  onSaved: (after: Data) => void
}

/** The form, as far as its frame has to know it. */
export interface BookingFormState {
  problems: { form?: string }
  /** What someone else has saved in the meantime; null: nothing. */
  conflict: object | null
  isDirty: boolean
  isBusy: boolean
  /** Changes with each try, for the focus. */
  tries: number
  submit: (outsideHours?: boolean) => Promise<void>
  settle: (keep: 'mine' | 'theirs') => void
}

/** Values of a form: texts, ids, lists of ids, and ticks. */
type Value = string | boolean | null | readonly string[]

const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The form over what is booked, or is to be. What is wrong shows from the first try on. */
export function useBookingForm<Values extends { [Key in keyof Values]: Value }, Data extends Booking>(options: Options<Values, Data>) {
  const { kind, valuesOf, problemsOf } = options
  const { put, refresh } = useBookingCache(kind)
  const cache = useQueryClient()
  // One for each time that the form is opened: whatever is sent again, it is booked once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  // What the form was filled from; a newer one once someone else has changed it.
  const [base, setBase] = useState<Base<Values, Data>>({ data: options.data, values: options.initial })
  const [values, setValues] = useState(options.initial)
  const nothing = {} as Problems<Values>
  const [refused, setRefused] = useState(nothing)
  const [isClosed, setClosed] = useState(false)
  const [conflict, setConflict] = useState<Data | null>(null)
  /** Changes with each try, for the focus. */
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const wrong = problemsOf(values)
  const problems: Problems<Values> = tries === 0 ? nothing : { ...wrong, ...refused }
  const changed = (Object.keys(values) as (keyof Values)[]).filter((key) => !isSame(values[key], base.values[key]))

  function change(next: Values) {
    setValues(next)
    setRefused(nothing)
    setClosed(false)
  }

  async function submit(outsideHours = false) {
    if (isBusy) return
    setTries(tries + 1)
    setRefused(nothing)
    setClosed(false)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const after = await options.save(values, base, { idempotencyKey, outsideHours })
      put(after)
      refresh()
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      options.onSaved(after)
    } catch (error) {
      setBusy(false)
      setTries(tries + 2)
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'outside-hours') setClosed(true)
      else if (refusal.kind === 'conflict') setConflict(() => refusal.current)
      else if (refusal.kind === 'overlap') {
        setRefused(options.overlapOf(refusal.overlap, values))
        refresh()
      } else if (refusal.kind === 'fields') setRefused(refusal.fields as Problems<Values>)
      else setRefused({ form: refusal.message } as Problems<Values>)
    }
  }

  /** Goes on over what someone else has saved: with what is typed, or with theirs. */
  function settle(keep: 'mine' | 'theirs') {
    if (!conflict) return
    const theirs = valuesOf(conflict)
    setValues(keep === 'mine' ? { ...theirs, ...Object.fromEntries(changed.map((key) => [key, values[key]])) } : theirs)
    setBase({ data: conflict, values: theirs })
    setConflict(null)
  }

  return { values, change, problems, isDirty: changed.length > 0, isBusy, tries, submit, conflict, settle, isClosed }
}
