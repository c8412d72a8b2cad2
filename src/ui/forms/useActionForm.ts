import { type ChangeEvent, useRef, useState } from 'react'
import { codeOf, fieldErrorsOf, isDecided, messageOf } from '../client/refusal.ts'
import { toast } from '../overlays/toast.ts'
import type { ZodType } from 'zod'

/** Problems by field; those without a field are under `form`. */
export type Problems = Readonly<Record<string, string>>

export interface ActionFormOptions<Values, Result, Theirs = never> {
  /** Initial values. */
  initial: Values | (() => Values)
  /** Validation by field. Shown from the first submit on, and nothing is sent until it passes. */
  check?: (values: Values) => Readonly<Record<string, string | undefined>>
  /** Loads the validation, where a page must start fast. */
  load?: () => Promise<unknown>
  /** The key is for calls that take one in their body: unchanged content keeps its key until the server has decided on it. */
  send: (values: Values, idempotencyKey: string) => Promise<Result>
  /** Canonical content of the values, if they can be written in several ways: determines the key above. */
  contentOf?: (values: Values) => unknown
  /** Success toast; none if the page itself shows the result. */
  done?: string | ((result: Result, values: Values) => string | undefined)
  onDone?: (result: Result, values: Values) => void
  /** The field a refusal code belongs to. Fields named by the refusal itself need no entry. */
  refusals?: Readonly<Record<string, string>>
  /** Shows problems without a field; by default they appear under `form`. */
  failed?: (message: string) => void
  /** For a refusal with more than a message. Its result replaces `problems`. */
  onRefused?: (error: unknown, problems: Problems, values: Values) => Problems | void
  /** Extracts what someone else saved in the meantime from a refusal: becomes `conflict`, without marking errors. */
  theirs?: (error: unknown) => Theirs | null | Promise<Theirs | null>
}

/** State of a form or dialog, independent of its fields. */
export interface FormState {
  isBusy: boolean
  /** Incremented on each submit and refusal: the first invalid field gets the focus then. */
  tries: number
  problems: Problems
  /** Shows a problem without a field, or of a field that the form does not render. */
  showWhole: (message: string) => void
  /** Validates and sends; true if accepted. While sending, another submit waits for the same result. */
  submit: () => Promise<boolean>
}

type NamesOf<Values, Value> = { [Name in keyof Values]: Values[Name] extends Value ? Name : never }[keyof Values] & string
type Name<Values> = keyof Values & string

/** State of a form: values, problems and submission. Render with Form or ActionDialog. See docs/decisions/forms.md. */
export function useActionForm<Values extends object, Result = unknown, Theirs = never>(options: ActionFormOptions<Values, Result, Theirs>) {
  const {
    check,
    load,
    send,
    contentOf = (given: Values): unknown => given,
    done,
    onDone,
    refusals = {},
    failed,
    onRefused,
    theirs,
  } = options
  const [base, setBase] = useState(options.initial)
  const [values, setValues] = useState(base)
  const [refused, setRefused] = useState<Problems>({})
  const [conflict, setConflict] = useState<Theirs | null>(null)
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  // A control may change a value and submit within one event.
  const latest = useRef(values)
  const sent = useRef<{ content: string; key: string }>(null)
  const sending = useRef<Promise<boolean>>(null)

  const wrongIn = (given: Values) => {
    const found = Object.entries(check?.(given) ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return Object.fromEntries(found)
  }

  function change(next: Values) {
    latest.current = next
    setValues(next)
  }

  /** The server's problems for these fields, and for the form, no longer apply. */
  function set(part: Partial<Values>) {
    const stays = (path: string) => isAbout(path, latest.current) && !isAbout(path, part)
    setRefused((before) => Object.fromEntries(Object.entries(before).filter(([path]) => stays(path))))
    change({ ...latest.current, ...part })
  }

  async function run(call = send, isChecked = true): Promise<boolean> {
    setRefused({})
    setConflict(null)
    if (load) {
      setBusy(true)
      try {
        await load()
      } catch (error) {
        setBusy(false)
        toast.error('This was not sent', 'The connection was lost. What you typed is kept.')
        reportError(error)
        return false
      }
    }
    const given = latest.current
    const isWrong = isChecked && Object.keys(wrongIn(given)).length > 0
    setBusy(!isWrong)
    setTries((before) => before + 1)
    if (isWrong) return false
    let result: Result
    try {
      const content = JSON.stringify(contentOf(given))
      if (sent.current?.content !== content) sent.current = { content, key: crypto.randomUUID() }
      result = await call(given, sent.current.key)
    } catch (error) {
      if (isDecided(error)) sent.current = null
      await refuse(error, given)
      setBusy(false)
      setTries((before) => before + 1)
      return false
    }
    sent.current = null
    setBusy(false)
    setTries(0)
    const message = typeof done === 'function' ? done(result, given) : done
    if (message !== undefined) toast.success(message)
    onDone?.(result, given)
    return true
  }

  const once = (work: () => Promise<boolean>) =>
    (sending.current ??= work().finally(() => {
      sending.current = null
    }))

  async function refuse(error: unknown, given: Values) {
    const found = (await theirs?.(error)) ?? null
    if (found !== null) return setConflict(found)
    const named = fieldErrorsOf(error)
    const problems = Object.keys(named).length > 0 ? named : { [refusals[codeOf(error) ?? ''] ?? 'form']: messageOf(error) }
    const { form: whole, ...fields } = onRefused?.(error, problems, given) ?? problems
    setRefused(fields)
    if (whole !== undefined) showWhole(whole)
  }

  const showWhole = failed ?? ((message: string) => setRefused((before) => ({ ...before, form: message })))

  return {
    values,
    set,
    isBusy,
    tries,
    problems: tries === 0 ? refused : { ...wrongIn(values), ...refused },
    isDirty: JSON.stringify(values) !== JSON.stringify(base),
    showWhole,
    submit: () => once(() => run()),
    /** Makes this call instead of `send`, with the validated values. */
    sendAnyway: (call: typeof send) => once(() => run(call, false)),
    /** For an Input or a Textarea. */
    text: (name: NamesOf<Values, string>) => ({
      name,
      value: values[name] as string,
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set({ [name]: target.value } as Partial<Values>),
    }),
    /** For any control with a value and `onValueChange`. */
    bind: <Key extends Name<Values>>(name: Key) => ({
      value: values[name],
      onValueChange: (value: Values[Key]) => set({ [name]: value } as unknown as Partial<Values>),
    }),
    /** For a control whose value cannot be cleared. */
    choice: <Key extends Name<Values>>(name: Key) => ({
      value: values[name],
      onValueChange: (value: Values[Key] | null) => value !== null && set({ [name]: value } as unknown as Partial<Values>),
    }),
    /** For a CheckboxLine. */
    tick: (name: NamesOf<Values, boolean>) => ({
      checked: values[name] as boolean,
      onCheckedChange: (isChecked: boolean) => set({ [name]: isChecked } as Partial<Values>),
    }),
    /** Resets to these values. */
    reset(next: Values) {
      setBase(next)
      change(next)
      setRefused({})
      setConflict(null)
      setTries(0)
    },
    conflict,
    dismissConflict: () => setConflict(null),
    /** Continues from what someone else saved; these fields keep what is typed, by default those that were changed. */
    rebase(saved: Values, kept: readonly Name<Values>[] = changedIn(base, values)) {
      setBase(saved)
      change({ ...saved, ...Object.fromEntries(kept.map((name) => [name, latest.current[name]])) })
      setRefused({})
      setConflict(null)
    },
  }
}

/** Whether a path such as 'lines.2.price' is inside one of these fields. */
const isAbout = (path: string, fields: object): boolean => (path.split('.', 1)[0] ?? path) in fields

function changedIn<Values extends object>(before: Values, after: Values): Name<Values>[] {
  const names = Object.keys(after) as Name<Values>[]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** Validates with a contract schema: the first message of each field. */
export const problemsIn = (shape: ZodType, values: unknown): Problems =>
  Object.fromEntries((shape.safeParse(values).error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message]))

/** Part of a form, for a component that renders some of its fields. */
export type FormFields<Values extends object> = Pick<
  ReturnType<typeof useActionForm<Values>>,
  'values' | 'problems' | 'set' | 'text' | 'bind' | 'choice' | 'tick'
>
