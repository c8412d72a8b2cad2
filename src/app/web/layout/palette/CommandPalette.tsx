import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { matchedOther } from '../../../../crm/contacts/web/matched-other.ts'
import { digitsOf } from '../../../../shared/digits.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { formatPhone } from '../../../../ui/format.ts'
import { Spinner } from '../../../../ui/display/Spinner.tsx'
import { useFocusOnOpen } from '../../../../ui/overlays/useFocusOnOpen.ts'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'
import { Group, Item } from './parts.tsx'
import { type Command as PaletteCommand, type DialogActions, useCommands } from './useCommands.tsx'
import { type Match, usePatientMatches } from './usePatientMatches.ts'

interface CommandPaletteProps extends DialogActions {
  onClose: () => void
}

/** Avoids showing a loading state for a response that arrives immediately. */
const showAfterMs = 200

/** The phone of a patient who was found by phone digits; otherwise what distinguishes patients with the same name. */
function detailOf(patient: Match, query: string): string | undefined {
  const phone = patient.phone === null ? undefined : formatPhone(patient.phone)
  const digits = digitsOf(query)
  const byPhone = patient.phone !== null && digits.length > 1 && digitsOf(patient.phone).includes(digits)
  return matchedOther(patient, query) ?? (byPhone ? phone : (patient.email ?? phone))
}

/** Ctrl/⌘ K: patients as you type, pages, and actions available anywhere. */
export default function CommandPalette({ onClose, ...layers }: CommandPaletteProps) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  /** The row selected by arrows or pointer; until then the first one, even when other rows arrive before it. */
  const [steered, setSteered] = useState<string | null>(null)
  const [isEntered, setEntered] = useState(false)
  /** Actions that move the focus run after the palette has released it. */
  const afterwards = useRef<(() => void) | null>(null)
  const content = useFocusOnOpen({ focus: (opened) => opened.querySelector('input')?.focus(), callOff: onClose })
  const matches = usePatientMatches(query)
  const { patients, isCurrent, isRecent } = matches
  const { pages, actions } = useCommands(query, layers)
  const waiting = useDebounced(!isCurrent, showAfterMs) && !isCurrent

  function run(action: () => void, focuses = false) {
    afterwards.current = focuses ? action : null
    onClose()
    if (!focuses) action()
  }

  const rows = [
    ...patients.map((patient) => ({
      value: patient.id,
      run: () => run(() => void navigate({ to: '/contacts/$id', params: { id: patient.id } })),
    })),
    ...[...pages, ...actions].map((command) => ({ value: command.label, run: () => run(command.run, command.focuses) })),
  ]
  const first = rows[0]?.value ?? ''
  const chosen = rows.some(({ value }) => value === steered) ? steered! : first
  const runOf = (value: string) => rows.find((row) => row.value === value)?.run

  // Enter right after the last key means the patient being searched, not the one shown before.
  const isHasty = isEntered && isCurrent
  const enter = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    enter.current = runOf(chosen)
  })
  useEffect(() => {
    if (!isHasty) return
    setEntered(false)
    enter.current?.()
  }, [isHasty])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || isCurrent || steered !== null) return
    event.preventDefault()
    setEntered(true)
  }

  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-dialog) animate-fade bg-scrim" />
        <Primitive.Content
          ref={content}
          data-command-palette
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            if (!afterwards.current) return
            event.preventDefault()
            afterwards.current()
          }}
          className="fixed inset-x-0 top-0 z-(--z-dialog) mx-auto flex max-h-dvh animate-dialog flex-col overflow-hidden bg-raised text-fg shadow-lg outline-none max-md:h-dvh md:top-[12dvh] md:max-h-[70dvh] md:w-160 md:rounded-xl"
        >
          <Primitive.Title className="sr-only">Search patients and pages</Primitive.Title>
          {/* Only commands are filtered here: the server searches patients, by more than their names. */}
          <Command
            shouldFilter={false}
            loop
            label="Search patients and pages"
            value={chosen}
            onValueChange={(value) => setSteered(value === first ? null : value)}
            onKeyDown={onKeyDown}
            className="flex min-h-0 flex-1 flex-col"
          >
            <div className="flex h-14 flex-none items-center gap-3 border-b border-line px-4">
              <Search className="text-fg-3" />
              <Command.Input
                value={query}
                onValueChange={(text) => {
                  setQuery(text)
                  setSteered(null)
                  setEntered(false)
                }}
                placeholder="Patient, page or action"
                maxLength={200}
                className="h-full min-w-0 flex-1 bg-transparent text-lg outline-none"
              />
              {waiting && <Spinner className="text-fg-3" />}
              <Primitive.Close className="rounded-xs px-1 text-sm font-medium text-fg-2 hover:text-fg md:hidden">Cancel</Primitive.Close>
            </div>
            <p role="status" className="sr-only">
              {isCurrent && !isRecent ? `${patients.length} ${patients.length === 1 ? 'patient' : 'patients'} found` : ''}
            </p>
            <Results query={query} matches={matches} pages={pages} actions={actions} onSelect={(value) => runOf(value)?.()} />
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface ResultsProps {
  query: string
  matches: ReturnType<typeof usePatientMatches>
  pages: readonly PaletteCommand[]
  actions: readonly PaletteCommand[]
  onSelect: (value: string) => void
}

function Results({ query, matches, pages, actions, onSelect }: ResultsProps) {
  const { patients, isCurrent, isRecent, failed } = matches
  return (
    <Command.List className="relative min-h-0 flex-1 overflow-y-auto p-2">
      <Command.Empty className="px-2 py-6 text-center text-sm text-fg-3">
        {isCurrent ? `Nothing matches “${query.trim()}”.` : 'Searching…'}
      </Command.Empty>
      {failed && <p className="px-2 py-3 text-sm text-danger-fg">Patients could not be searched. The pages below still work.</p>}
      {patients.length > 0 && (
        <Group heading={isRecent ? 'Recent' : 'Patients'}>
          {patients.map((patient) => (
            <Item
              key={patient.id}
              value={patient.id}
              icon={<Avatar kind="patient" size="sm" firstName={patient.firstName} lastName={patient.lastName} />}
              detail={detailOf(patient, query)}
              onSelect={onSelect}
            >
              {patient.firstName} {patient.lastName}
            </Item>
          ))}
        </Group>
      )}
      {[
        { heading: 'Pages', commands: pages },
        { heading: 'Actions', commands: actions },
      ].map(
        ({ heading, commands }) =>
          commands.length > 0 && (
            <Group key={heading} heading={heading}>
              {commands.map(({ label, icon, keys }) => (
                <Item key={label} value={label} icon={icon} keys={keys} onSelect={onSelect}>
                  {label}
                </Item>
              ))}
            </Group>
          ),
      )}
    </Command.List>
  )
}
