import { CalendarClock, GitCommitHorizontal, Tag as TagIcon, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { BulkAction } from '../../../../../ui/display/BulkBar.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../../../../ui/overlays/DropdownMenu.tsx'
import { formatShortDate } from '../../../../../ui/format.ts'
import type { Person } from '../../../../../platform/auth/people-contract.ts'
import { assignableStages } from '../../../../pipeline/rules.ts'
import { StageIcon } from '../../../../pipeline/web/embed/StageName.tsx'
import { assignableRoles } from '../../../rules.ts'
import type { Directory } from '../../embed/directory.ts'
import { useLostReason } from '../../embed/lost/useLostReason.tsx'
import { followUpChoices } from '../../embed/follow-up-choices.ts'
import { patients } from './bulk-labels.ts'
import type { WantedChange } from './useBulkChange.ts'
import type { BulkMenu } from './useSelection.ts'

interface ChangeMenusProps {
  directory: Directory
  /** The number of selected patients. */
  count: number
  menu: BulkMenu | null
  setMenu: (menu: BulkMenu | null) => void
  /** Changes all selected patients. */
  change: (wanted: WantedChange) => void
  onChooseDay: () => void
}

/** The menus for bulk changes: stage, tags, owner and provider, and follow-up. */
export function ChangeMenus({ directory, count, menu, setMenu, change, onChooseDay }: ChangeMenusProps) {
  const clock = useClock()
  const { moveTo, dialog } = useLostReason()
  const withRole = (roles: readonly Person['role'][]) => directory.people.filter(({ role }) => roles.includes(role))
  const bind = (name: BulkMenu) => ({ open: menu === name, onOpenChange: (open: boolean) => setMenu(open ? name : null) })
  const assign = (kind: 'owner' | 'provider') => (
    <>
      {withRole(assignableRoles[kind === 'owner' ? 'assignedSalesRepId' : 'assignedProviderId']).map((person) => (
        <MenuItem
          key={person.id}
          icon={<Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />}
          onSelect={() => change({ kind, personId: person.id })}
        >
          {person.fullName}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => change({ kind, personId: null })}>{kind === 'owner' ? 'No owner' : 'No provider'}</MenuItem>
    </>
  )
  const tags = (on: boolean) =>
    directory.tags.map((tag) => (
      <MenuItem key={tag.id} onSelect={() => change({ kind: 'tag', tagId: tag.id, on })}>
        {tag.name}
      </MenuItem>
    ))

  return (
    <>
      <Menu {...bind('stage')} icon={<GitCommitHorizontal />} label="Stage">
        {assignableStages(directory.stages).map((stage) => (
          <MenuItem
            key={stage.id}
            icon={
              <span className="flex">
                <StageIcon stages={directory.stages} stage={stage} />
              </span>
            }
            onSelect={() => moveTo(stage, patients(count), (lostReason) => change({ kind: 'stage', stageId: stage.id, lostReason }))}
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
          <MenuSub label="Remove">{tags(false)}</MenuSub>
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
          <MenuItem key={choice.label} onSelect={() => change({ kind: 'followUp', date: choice.instant })}>
            <span className="flex justify-between gap-6">
              {choice.label} <span className="text-fg-3 tabular-nums">{formatShortDate(choice.instant, clock)}</span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={onChooseDay}>Choose a date…</MenuItem>
        <MenuItem onSelect={() => change({ kind: 'followUp', date: null })}>No follow-up</MenuItem>
      </Menu>
      {dialog}
    </>
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
