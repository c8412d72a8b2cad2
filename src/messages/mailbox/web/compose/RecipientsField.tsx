import { X } from 'lucide-react'
import { Popover as Primitive } from 'radix-ui'
import { type ReactNode, useId, useRef } from 'react'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { cn } from '../../../../ui/cn.ts'
import type { Person } from '../../rules.ts'
import { nameOf } from '../mailbox-data.ts'
import { notAnAddress } from './recipients.ts'
import { type RecipientInput, type RecipientLine, useRecipientInput } from './useRecipientInput.ts'

interface RecipientsFieldProps {
  line: RecipientLine
  error: string | undefined
  /** After an attempt to send, a partly typed recipient is an error. */
  isChecked: boolean
  disabled: boolean
  autoFocus?: boolean
  onTyped: (typed: string) => void
  onChange: (people: Person[]) => void
  /** Right end of the line. */
  aside?: ReactNode
}

/** Recipients: typed or pasted addresses, and patients by name. */
export function RecipientsField({ line, error: given, isChecked, disabled, autoFocus, onTyped, onChange, aside }: RecipientsFieldProps) {
  const { label, people, typed } = line
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { shown, hand, isLeft, setOpen, handlers, ...suggestions } = useRecipientInput({ line, onTyped, onChange }, input)
  const half = typed.trim()
  const error = (isLeft || isChecked) && half !== '' ? `${notAnAddress}: ${half}` : given

  return (
    <div className="border-b border-line">
      <div className="flex items-start gap-2 px-4">
        <label htmlFor={id} className="w-14 flex-none py-2.5 text-sm text-fg-3 md:py-2">
          {label}
        </label>
        <Primitive.Root open={shown} onOpenChange={setOpen}>
          <Primitive.Anchor asChild>
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1 py-1.5">
              {people.map((person) => (
                <Chip
                  key={person.email.toLowerCase()}
                  person={person}
                  disabled={disabled}
                  onRemove={() => {
                    onChange(people.filter((other) => other !== person))
                    input.current?.focus()
                  }}
                />
              ))}
              <input
                ref={input}
                id={id}
                type="text"
                inputMode="email"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                role="combobox"
                aria-expanded={shown}
                aria-controls={`${id}list`}
                aria-autocomplete="list"
                aria-activedescendant={shown ? `${id}option${hand}` : undefined}
                aria-invalid={error !== undefined || undefined}
                aria-describedby={error === undefined ? undefined : `${id}error`}
                disabled={disabled}
                autoFocus={autoFocus}
                value={typed}
                {...handlers}
                className="h-8 min-w-20 flex-1 bg-transparent text-lg outline-none md:h-6 md:text-md"
              />
            </div>
          </Primitive.Anchor>
          <Suggestions id={id} hand={hand} {...suggestions} />
        </Primitive.Root>
        {aside && <div className="flex flex-none items-center pt-1">{aside}</div>}
      </div>
      {error !== undefined && (
        <p id={`${id}error`} role="alert" className="px-4 pb-2 pl-20 text-sm text-danger-fg">
          {error}
        </p>
      )}
    </div>
  )
}

type SuggestionsProps = Pick<RecipientInput, 'matches' | 'hand' | 'choose' | 'setActive'> & { id: string }

/** The patients that match the typed text. */
function Suggestions({ id, matches, hand, choose, setActive }: SuggestionsProps) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align="start"
        sideOffset={2}
        collisionPadding={8}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.preventDefault()}
        // The field keeps the focus; a click on the list would take it.
        onPointerDown={(event) => event.preventDefault()}
        role="presentation"
        className="z-(--z-popover) w-80 max-w-(--radix-popover-content-available-width) animate-menu overflow-hidden rounded-md bg-raised text-sm shadow-md outline-none"
      >
        <div id={`${id}list`} role="listbox" aria-label="Patients" className="max-h-72 overflow-y-auto p-1">
          {matches.map((person, index) => (
            <button
              type="button"
              key={person.id}
              id={`${id}option${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === hand}
              onClick={() => choose(person)}
              onPointerMove={() => setActive(index)}
              className={cn(
                'flex min-h-11 w-full cursor-default items-center text-left gap-2 rounded-sm px-2 py-1',
                index === hand && 'bg-hover',
              )}
            >
              <Avatar kind="patient" size="sm" firstName={person.firstName} lastName={person.lastName} />
              <span className="min-w-0">
                <span className="block truncate">{person.name}</span>
                <span className="block truncate text-xs text-fg-3">{person.email}</span>
              </span>
            </button>
          ))}
        </div>
      </Primitive.Content>
    </Primitive.Portal>
  )
}

function Chip({ person, disabled, onRemove }: { person: Person; disabled: boolean; onRemove: () => void }) {
  return (
    <span
      title={person.name ? `${person.name} <${person.email}>` : person.email}
      className="inline-flex h-7 max-w-full items-center rounded-sm bg-hover text-sm text-fg md:h-6"
    >
      <span className="min-w-0 truncate pl-2">{nameOf(person)}</span>
      {!disabled && (
        <button
          type="button"
          aria-label={`Remove ${nameOf(person)}`}
          onClick={onRemove}
          className="relative flex size-7 flex-none items-center justify-center rounded-sm text-fg-3 touch-target hover:bg-active hover:text-fg md:size-6"
        >
          <X className="size-3.5!" />
        </button>
      )}
    </span>
  )
}
