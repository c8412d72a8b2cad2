import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CreditCard, Keyboard, Moon, Plus, Search, Sun, UserPlus } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { orpc } from '../api.ts'
import { setTheme } from '../theme.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { formatPhone } from '../ui/format.ts'
import { Keys } from '../ui/Kbd.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useSettled } from '../ui/useSettled.ts'
import { navEntries } from './navigation.ts'

interface CommandPaletteProps {
  onClose: () => void
  onCreateTask: () => void
  onTakePayment: () => void
  onShortcuts: () => void
}

/** Spec 9: what is typed is searched after 300 ms. */
const searchDebounce = 300
const shortestSearch = 2

/** Ctrl/⌘ K: patients as they are typed, pages, and what can be done from anywhere. */
export default function CommandPalette({ onClose, onCreateTask, onTakePayment, onShortcuts }: CommandPaletteProps) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const settled = useSettled(query.trim(), searchDebounce)
  const searching = settled.length >= shortestSearch
  const patients = useQuery(orpc.contacts.list.queryOptions({ input: { search: settled, limit: 8 }, enabled: searching }))

  const matches = (text: string) => text.toLowerCase().includes(query.trim().toLowerCase())
  const pages = navEntries.filter((entry) => matches(entry.label))
  const actions: { label: string; icon: ReactNode; keys?: string; run: () => void }[] = [
    { label: 'New patient', icon: <UserPlus />, run: () => void navigate({ to: '/contacts/new' }) },
    { label: 'Create Task', icon: <Plus />, keys: 'c', run: onCreateTask },
    { label: 'Take Payment', icon: <CreditCard />, run: onTakePayment },
    { label: 'Light theme', icon: <Sun />, run: () => setTheme('light') },
    { label: 'Dark theme', icon: <Moon />, run: () => setTheme('dark') },
    { label: 'Keyboard shortcuts', icon: <Keyboard />, keys: '?', run: onShortcuts },
  ].filter((action) => matches(action.label))

  function run(action: () => void) {
    onClose()
    action()
  }

  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-dialog) animate-fade bg-scrim" />
        <Primitive.Content
          data-command-palette
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-(--z-dialog) mx-auto flex max-h-dvh animate-dialog flex-col overflow-hidden bg-raised text-fg shadow-lg outline-none max-md:h-dvh md:top-[12dvh] md:max-h-[70dvh] md:w-160 md:rounded-xl"
        >
          <Primitive.Title className="sr-only">Search patients and pages</Primitive.Title>
          {/* What is listed is filtered here: patients are searched by the server, which knows more than their names. */}
          <Command shouldFilter={false} loop label="Search patients and pages" className="flex min-h-0 flex-1 flex-col">
            <div className="flex h-14 flex-none items-center gap-3 border-b border-line px-4">
              <Search className="text-fg-3" />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder="Search patients and pages"
                className="h-full min-w-0 flex-1 bg-transparent text-lg outline-none"
              />
              {patients.isFetching && <Spinner className="text-fg-3" />}
              <Primitive.Close className="rounded-xs px-1 text-sm font-medium text-fg-2 hover:text-fg md:hidden">Cancel</Primitive.Close>
            </div>
            <Command.List className="min-h-0 flex-1 overflow-y-auto p-2">
              <Command.Empty className="px-2 py-6 text-center text-sm text-fg-3">
                {patients.isFetching || settled !== query.trim() ? 'Searching...' : `Nothing matches “${query.trim()}”.`}
              </Command.Empty>
              {searching && patients.isError && (
                <p className="px-2 py-3 text-sm text-danger-fg">Patients could not be searched. The pages below still work.</p>
              )}
              {searching && patients.data && patients.data.data.length > 0 && (
                <Group heading="Patients">
                  {patients.data.data.map((patient) => (
                    <Item
                      key={patient.id}
                      value={patient.id}
                      icon={<Avatar kind="patient" size="sm" firstName={patient.firstName} lastName={patient.lastName} />}
                      detail={patient.email ?? (patient.phone ? formatPhone(patient.phone) : undefined)}
                      onSelect={() => run(() => void navigate({ to: '/contacts/$id', params: { id: patient.id } }))}
                    >
                      {patient.firstName} {patient.lastName}
                    </Item>
                  ))}
                </Group>
              )}
              {pages.length > 0 && (
                <Group heading="Pages">
                  {pages.map(({ to, label, icon: Icon, key }) => (
                    <Item key={to} value={to} icon={<Icon />} keys={key && `g ${key}`} onSelect={() => run(() => void navigate({ to }))}>
                      {label}
                    </Item>
                  ))}
                </Group>
              )}
              {actions.length > 0 && (
                <Group heading="Actions">
                  {actions.map((action) => (
                    <Item key={action.label} value={action.label} icon={action.icon} keys={action.keys} onSelect={() => run(action.run)}>
                      {action.label}
                    </Item>
                  ))}
                </Group>
              )}
            </Command.List>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="pb-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-1 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  value: string
  icon: ReactNode
  detail?: string
  keys?: string
  onSelect: () => void
  children: ReactNode
}

function Item({ value, icon, detail, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-11 cursor-default items-center gap-2.5 rounded-sm px-2 text-md data-[selected=true]:bg-hover md:h-9 md:text-sm"
    >
      <span className="flex w-5.5 flex-none justify-center text-fg-3">{icon}</span>
      <span className="truncate font-medium">{children}</span>
      {detail && <span className="truncate text-fg-3">{detail}</span>}
      {keys && <Keys keys={keys} className="ml-auto max-md:hidden" />}
    </Command.Item>
  )
}
