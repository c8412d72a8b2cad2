import {
  CalendarCheck,
  CalendarHeart,
  FileText,
  GitCommitHorizontal,
  Landmark,
  type LucideIcon,
  Mail,
  Merge,
  Milestone,
  NotebookPen,
  Phone,
  ReceiptText,
  SquareCheck,
  Tag,
  Tags,
  UserPen,
  UserPlus,
  Users,
} from 'lucide-react'
import type { TimelineTone } from '../../../web/ui/Timeline.tsx'
import type { InteractionType } from '../contract.ts'

/** What each kind of entry looks like: an icon of its own, and a tint that tells talking, writing, care, money and bookkeeping apart. */
export const kinds: Record<InteractionType, { icon: LucideIcon; tone: TimelineTone }> = {
  call: { icon: Phone, tone: 'info' },
  meeting: { icon: Users, tone: 'info' },
  email: { icon: Mail, tone: 'rose' },
  note: { icon: NotebookPen, tone: 'warning' },
  document: { icon: FileText, tone: 'warning' },
  task: { icon: SquareCheck, tone: 'accent' },
  stage_change: { icon: GitCommitHorizontal, tone: 'accent' },
  stage_changed: { icon: Milestone, tone: 'accent' },
  consult_booked: { icon: CalendarCheck, tone: 'accent' },
  surgery_booked: { icon: CalendarHeart, tone: 'success' },
  sales_receipt: { icon: ReceiptText, tone: 'success' },
  quickbooks: { icon: Landmark, tone: 'success' },
  tag: { icon: Tag, tone: 'neutral' },
  tag_added: { icon: Tags, tone: 'neutral' },
  contact_created: { icon: UserPlus, tone: 'neutral' },
  contact_updated: { icon: UserPen, tone: 'neutral' },
  contact_merged: { icon: Merge, tone: 'neutral' },
}
