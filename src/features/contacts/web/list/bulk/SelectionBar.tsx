import { CalendarClock, GitCommitHorizontal, Tag as TagIcon, User, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useClock } from '../../../../../web/session.ts'
import { Avatar } from '../../../../../web/ui/Avatar.tsx'
import { BulkAction, BulkBar, BulkLine } from '../../../../../web/ui/BulkBar.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../../../../web/ui/DropdownMenu.tsx'
import { formatCount, formatShortDate } from '../../../../../web/ui/format.ts'
import type { Person } from '../../../../auth/contract.ts'
import { StageIcon } from '../../../../pipeline/web/embed/StageName.tsx'
import { assignableRoles } from '../../../rules.ts'
import type { Directory } from '../../embed/directory.ts'
import { followUpChoices } from '../../record/follow-up-choices.ts'
import { useLostReason } from '../../lost/useLostReason.tsx'
import { filtersOf, type ListSearch } from '../list-search.ts'
import { isNobody, type Selection } from './selection.ts'
import { patients, useBulkChange } from './useBulkChange.ts'
import type { BulkMenu } from './useSelection.ts'

interface SelectionBarProps {
  selection: Selection
  search: ListSearch
  /** How many the list's filters match; at least so many where `atLeast`. */
  total: number
  atLeast: boolean
  /** Whether the whole page is selected, and there is more than that. */
  offersAll: boolean
  directory: Directory
  menu: BulkMenu | null
  setMenu: (menu: BulkMenu | null) => void
  onSelectMatching: () => void
  onClear: () => void
}

/** What can be done with the patients that are selected; while it is being done, how far it has come. */
export default function SelectionBar(props: SelectionBarProps) {
  const { selection, search, total, atLeast, offersAll, directory, menu, setMenu, onSelectMatching, onClear } = props
  const clock = useClock()
  const { start, progress, cancel } = useBulkChange(onClear)
  const { moveTo, dialog } = useLostReason()
  const count = selection.matching ? total : selection.ids.size

  if (progress) {
    const begun = progress.status === 'undoing' ? progress.undone + progress.kept : progress.changed + progress.unchanged
    const of = progress.status === 'undoing' ? progress.changed : progress.total
    return (
      <BulkBar label="Progress">
        <span role="status" className="flex-none px-2 tabular-nums">
          {progress.status === 'undoing' ? 'Undoing' : 'Changing'} {formatCount(begun)} of {formatCount(of)}…
        </span>
        {progress.status === 'running' && <BulkAction onClick={cancel}>Cancel</BulkAction>}
      </BulkBar>
    )
  }
  if (isNobody(selection)) return null

  const chosen = selection.matching ? { matching: filtersOf(search) } : { ids: [...selection.ids] }
  const change = (wanted: Parameters<typeof start>[0]['change'], done: string) => void start({ selection: chosen, change: wanted }, done)
  const withRole = (roles: readonly Person['role'][]) => directory.people.filter(({ role }) => roles.includes(role))
  const bind = (name: BulkMenu) => ({ open: menu === name, onOpenChange: (open: boolean) => setMenu(open ? name : null) })
  const assign = (kind: 'owner' | 'provider') => (
    <>
      {withRole(assignableRoles[kind === 'owner' ? 'assignedSalesRepId' : 'assignedProviderId']).map((person) => (
        <MenuItem
          key={person.id}
          icon={<Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />}
          onSelect={() => change({ kind, personId: person.id }, `assigned to ${person.fullName}`)}
        >
          {person.fullName}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => change({ kind, personId: null }, kind === 'owner' ? 'without an owner now' : 'without a provider now')}>
        {kind === 'owner' ? 'No owner' : 'No provider'}
      </MenuItem>
    </>
  )
  const tags = (on: boolean) =>
    directory.tags.map((tag) => (
      <MenuItem
        key={tag.id}
        onSelect={() => change({ kind: 'tag', tagId: tag.id, on }, on ? `tagged ${tag.name}` : `no longer tagged ${tag.name}`)}
      >
        {tag.name}
      </MenuItem>
    ))

  return (
    <BulkBar label="Selected patients">
      <span className="flex-none px-2 tabular-nums" aria-live="polite">
        {formatCount(count)}
        {selection.matching && atLeast ? '+' : ''} selected
      </span>
      {offersAll && !selection.matching && (
        <BulkAction onClick={onSelectMatching} className="underline underline-offset-2">
          Select all {formatCount(total)}
          {atLeast ? '+' : ''}
        </BulkAction>
      )}
      <BulkLine />
      <Menu {...bind('stage')} icon={<GitCommitHorizontal />} label="Stage">
        {directory.stages.map((stage) => (
          <MenuItem
            key={stage.id}
            icon={
              <span className="flex">
                <StageIcon stages={directory.stages} stage={stage} />
              </span>
            }
            onSelect={() =>
              moveTo(stage, patients(count), (lostReason) =>
                change({ kind: 'stage', stageId: stage.id, lostReason }, `moved to ${stage.name}`),
              )
            }
          >
            {stage.name}
          </MenuItem>
        ))}
      </Menu>
      {directory.tags.length > 0 && (
        <Menu {...bind('tag')} icon={<TagIcon />} label="Tag">
          <MenuLabel>Add</MenuLabel>
          {tags(true)}
          <MenuSeparator />
          <MenuSub label="Take off">{tags(false)}</MenuSub>
        </Menu>
      )}
      <Menu {...bind('assign')} icon={<User />} label="Assign">
        <MenuLabel>Owner</MenuLabel>
        {assign('owner')}
        <MenuSeparator />
        <MenuSub label="Provider">{assign('provider')}</MenuSub>
      </Menu>
      <Menu {...bind('followUp')} icon={<CalendarClock />} label="Follow-up">
        {followUpChoices(clock).map((choice) => (
          <MenuItem
            key={choice.label}
            onSelect={() => change({ kind: 'followUp', date: choice.instant }, `to follow up ${formatShortDate(choice.instant, clock)}`)}
          >
            <span className="flex justify-between gap-6">
              {choice.label} <span className="text-fg-3 tabular-nums">{formatShortDate(choice.instant, clock)}</span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => change({ kind: 'followUp', date: null }, 'without a follow-up now')}>No follow-up</MenuItem>
      </Menu>
      {dialog}
      <BulkLine />
      <BulkAction aria-label={`Clear the selection of ${patients(count)}`} onClick={onClear}>
        <X />
      </BulkAction>
    </BulkBar>
  )
}

interface MenuProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  icon: ReactNode
  label: string
  children: ReactNode
}

const Menu = ({ open, onOpenChange, icon, label, children }: MenuProps) => (
  <DropdownMenu
    open={open}
    onOpenChange={onOpenChange}
    align="center"
    trigger={
      <BulkAction>
        {icon}
        {label}
      </BulkAction>
    }
  >
    {children}
  </DropdownMenu>
)
