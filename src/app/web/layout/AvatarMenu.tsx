import { useNavigate } from '@tanstack/react-router'
import { Laptop, LogOut, Moon, Settings, Sun } from 'lucide-react'
import { useSession } from '../../../ui/client/session.ts'
import { setTheme, useTheme } from '../../../ui/client/theme.ts'
import { Avatar } from '../../../ui/display/Avatar.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from '../../../ui/overlays/DropdownMenu.tsx'
import { useSignOut } from './useSignOut.ts'

export function AvatarMenu() {
  const { user } = useSession()
  const theme = useTheme()
  const navigate = useNavigate()
  const signOut = useSignOut()
  if (!user) return null
  const name = user.fullName || user.email
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          aria-label={`Account of ${name}`}
          className="relative mr-1 flex size-9 flex-none items-center justify-center rounded-full touch-target md:mr-0 md:ml-1 md:size-7"
        >
          <Avatar kind="staff" id={user.id} firstName={user.firstName} lastName={user.lastName} email={user.email} />
        </button>
      }
    >
      <div className="px-2 pt-1.5 pb-2">
        <p className="truncate font-medium">{name}</p>
        {user.fullName && <p className="truncate text-xs text-fg-3">{user.email}</p>}
      </div>
      <MenuSeparator />
      <MenuItem icon={<Settings />} onSelect={() => void navigate({ to: '/settings' })}>
        Settings
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup
        value={theme}
        onValueChange={setTheme}
        options={[
          { value: 'light', label: 'Light', icon: <Sun /> },
          { value: 'dark', label: 'Dark', icon: <Moon /> },
          { value: 'system', label: 'System', icon: <Laptop /> },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} disabled={signOut.isPending} onSelect={() => signOut.mutate(undefined)}>
        Sign Out
      </MenuItem>
    </DropdownMenu>
  )
}
