import { Mail, MessageSquare, MonitorSmartphone } from 'lucide-react'

export const channelIcons = { sms: MessageSquare, email: Mail, portal: MonitorSmartphone } as const
