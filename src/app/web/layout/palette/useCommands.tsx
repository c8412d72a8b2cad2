import { useNavigate } from '@tanstack/react-router'
import {
  CalendarHeart,
  CalendarPlus,
  CreditCard,
  FileCheck,
  FileUp,
  Keyboard,
  Laptop,
  LogOut,
  ListTodo,
  Merge,
  Moon,
  Plus,
  SquareKanban,
  Sun,
  UserPlus,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { setTheme } from '../../../../ui/client/theme.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { useActiveHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { helpEntry } from '../navigation.ts'
import { useNavGroups } from '../useNavigation.ts'
import { useSignOut } from '../useSignOut.ts'

export interface Command {
  label: string
  icon: ReactNode
  /** Its keyboard shortcut outside the palette. */
  keys?: string
  run: () => void
  /** Moves the focus itself. */
  focuses?: boolean
}

export interface DialogActions {
  onCreateTask: () => void
  /** Absent without the permission. */
  onTakePayment: (() => void) | undefined
  onShortcuts: () => void
}

/** The pages and actions available to the current user whose label has a word that starts with the query. */
export function useCommands(
  query: string,
  { onCreateTask, onTakePayment, onShortcuts }: DialogActions,
): { pages: Command[]; actions: Command[] } {
  const navigate = useNavigate()
  const may = usePermission()
  const groups = useNavGroups()
  const signOut = useSignOut()
  const ofPatient = useActiveHotkeys().filter(({ group }) => group === 'Patient')

  const pages: Command[] = [...groups.flat(), helpEntry].map(({ to, label, icon: Icon, key }) => ({
    label,
    icon: <Icon />,
    keys: key && `g ${key}`,
    run: () => void navigate({ to }),
  }))
  pages.push({
    label: 'Pipeline board',
    icon: <SquareKanban />,
    run: () => void navigate({ to: '/contacts', search: { layout: 'board' } }),
  })
  if (may('documents.waiting')) {
    pages.push({ label: 'Documents to review', icon: <FileCheck />, run: () => void navigate({ to: '/documents' }) })
  }
  const patientActions: Command[] = ofPatient.map(({ label, keys, run }) => ({
    label,
    icon: <Zap />,
    keys,
    run: () => run(new KeyboardEvent('keydown')),
    focuses: true,
  }))
  const generalActions: Command[] = [
    ...(may('contacts.create') ? [{ label: 'New patient', icon: <UserPlus />, run: () => void navigate({ to: '/contacts/new' }) }] : []),
    ...(may('duplicates.list')
      ? [{ label: 'Possible duplicates', icon: <Merge />, run: () => void navigate({ to: '/contacts/duplicates' }) }]
      : []),
    ...(may('leads.queue')
      ? [{ label: 'Leads to complete', icon: <ListTodo />, run: () => void navigate({ to: '/contacts/leads' }) }]
      : []),
    ...(may('imports.list') ? [{ label: 'Import patients', icon: <FileUp />, run: () => void navigate({ to: '/contacts/import' }) }] : []),
    ...(may('appointments.book')
      ? [
          {
            label: 'Book appointment',
            icon: <CalendarPlus />,
            run: () => void navigate({ to: '/appointments', search: { book: 'new' } }),
          },
        ]
      : []),
    ...(may('surgeries.create')
      ? [{ label: 'Book surgery', icon: <CalendarHeart />, run: () => void navigate({ to: '/surgeries', search: { book: 'new' } }) }]
      : []),
    { label: 'Create Task', icon: <Plus />, keys: 'c', run: onCreateTask },
    ...(onTakePayment ? [{ label: 'Take Payment', icon: <CreditCard />, run: onTakePayment }] : []),
    { label: 'Light theme', icon: <Sun />, run: () => setTheme('light') },
    { label: 'Dark theme', icon: <Moon />, run: () => setTheme('dark') },
    { label: 'Use system theme', icon: <Laptop />, run: () => setTheme('system') },
    { label: 'Keyboard shortcuts', icon: <Keyboard />, keys: '?', run: onShortcuts },
    { label: 'Sign Out', icon: <LogOut />, run: () => signOut.mutate(undefined) },
  ]
  // On a patient's page, an action applies to that patient and is listed once: a row is identified by its label.
  const ofThem = new Set(patientActions.map(({ label }) => label))
  const actions = [...patientActions, ...generalActions.filter(({ label }) => !ofThem.has(label))]
  const matches = ({ label }: Command) => ` ${label.toLowerCase()}`.includes(` ${query.trim().toLowerCase()}`)
  return { pages: pages.filter(matches), actions: actions.filter(matches) }
}
