import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Megaphone, PenLine } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { marketingLabels } from './MarketingField.tsx'

interface MoreMenuProps {
  isEmail: boolean
  /** Absent: it is marketing already, which its own field shows. */
  onMarketing: (() => void) | undefined
}

/** What few replies need: marketing, and a signature for those who have none. Nothing if there is nothing to choose. */
export function MoreMenu({ isEmail, onMarketing }: MoreMenuProps) {
  const signatures = useQuery(orpc.signatures.mine.queryOptions({ enabled: isEmail }))
  const isUnsigned = isEmail && signatures.data?.length === 0
  if (!onMarketing && !isUnsigned) return null
  return (
    <DropdownMenu align="start" trigger={<IconButton label="More options" icon={<Ellipsis />} />}>
      {onMarketing && (
        <MenuItem icon={<Megaphone />} onSelect={onMarketing}>
          {marketingLabels[isEmail ? 'email' : 'text']}
        </MenuItem>
      )}
      {isUnsigned && (
        <MenuItem asChild>
          <Link to="/settings/$section" params={{ section: 'profile' }}>
            <PenLine />
            Write your signature
          </Link>
        </MenuItem>
      )}
    </DropdownMenu>
  )
}
