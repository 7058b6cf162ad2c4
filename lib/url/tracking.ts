/** Names of parameters that never select what a page shows, each with the reason why it is here. */
export interface TrackingName {
  /** In lower case: built-in names are matched ignoring case. */
  readonly name: string;
  readonly reason: string;
}

/** Every name that starts so. */
export const HARD_PREFIXES: readonly TrackingName[] = [
  { name: 'utm_', reason: 'Urchin and Google Analytics campaign tags, used by nearly everybody' },
  { name: 'mtm_', reason: 'Matomo campaign tags' },
  { name: 'hsa_', reason: 'HubSpot ad tags' },
];

export const HARD_NAMES: readonly TrackingName[] = [
  { name: 'spm', reason: 'Alibaba: position of the link that was clicked' },
  { name: 'scm', reason: 'Alibaba: which recommendation was clicked' },
  { name: 'gclid', reason: 'Google Ads click id' },
  { name: 'gclsrc', reason: 'Google Ads: product that made the click id' },
  { name: 'gbraid', reason: 'Google Ads click id of iOS, app to web' },
  { name: 'wbraid', reason: 'Google Ads click id of iOS, web to app' },
  { name: 'dclid', reason: 'Google Display & Video click id' },
  { name: 'fbclid', reason: 'Facebook click id' },
  { name: 'msclkid', reason: 'Microsoft Advertising click id' },
  { name: 'yclid', reason: 'Yandex Direct click id' },
  { name: 'ysclid', reason: 'Yandex Search click id' },
  { name: 'twclid', reason: 'Twitter (X) Ads click id' },
  { name: 'ttclid', reason: 'TikTok Ads click id' },
  { name: 'igshid', reason: 'Instagram: who shared the link' },
  { name: 'igsh', reason: 'Instagram: who shared the link, newer form' },
  { name: 'mc_cid', reason: 'Mailchimp campaign id' },
  { name: 'mc_eid', reason: 'Mailchimp reader id' },
  { name: '_ga', reason: 'Google Analytics: visitor id carried across domains' },
  { name: '_gl', reason: 'Google tag: visitor ids carried across domains' },
  { name: 'share_token', reason: 'Share sheets of Chinese apps: who shared the link' },
  { name: 'srsltid', reason: 'Google Merchant: search result that was clicked' },
  { name: '_hsenc', reason: 'HubSpot: encrypted reader id of an email' },
  { name: '_hsmi', reason: 'HubSpot: id of an email' },
  { name: '__hstc', reason: 'HubSpot: visitor cookie carried across domains' },
  { name: '__hssc', reason: 'HubSpot: session cookie carried across domains' },
  { name: '__hsfp', reason: 'HubSpot: browser fingerprint carried across domains' },
  { name: 'hsctatracking', reason: 'HubSpot: which call-to-action was clicked' },
  { name: 'mkt_tok', reason: 'Marketo: reader id of an email' },
  { name: 'vero_id', reason: 'Vero: reader id of an email' },
  { name: 'vero_conv', reason: 'Vero: conversion of an email' },
  { name: 'oly_anon_id', reason: 'Omeda Olytics: anonymous reader id' },
  { name: 'oly_enc_id', reason: 'Omeda Olytics: encrypted reader id' },
  { name: '_openstat', reason: 'Openstat: campaign of a Russian ad network' },
  { name: 'wickedid', reason: 'Wicked Reports click id' },
  { name: 'rb_clickid', reason: 'myTarget (VK) click id' },
  { name: 's_cid', reason: 'Adobe Analytics campaign id' },
  { name: 'irclickid', reason: 'Impact: affiliate click id' },
  { name: 'li_fat_id', reason: 'LinkedIn Ads click id' },
  { name: 'spm_id_from', reason: 'Bilibili: position of the link that was clicked' },
  { name: 'fb_action_ids', reason: 'Facebook: story that led here' },
  { name: 'fb_action_types', reason: 'Facebook: kind of story that led here' },
  { name: 'fb_source', reason: 'Facebook: place of the story that led here' },
  { name: 'fb_ref', reason: 'Facebook: label of the story that led here' },
  { name: 'epik', reason: 'Pinterest Ads click id' },
];

/** Names that are often marketing and sometimes the page itself. */
export const SOFT_NAMES: readonly TrackingName[] = [
  { name: 'from', reason: 'where a shared link was opened; or the start of a route or date range' },
  { name: 'ref', reason: 'who referred the reader; or the number of an article or order' },
  { name: 'channel', reason: 'marketing channel; or the channel that is shown' },
  { name: 'campaign', reason: 'marketing campaign; or the campaign that is shown' },
  { name: 'source', reason: 'where the reader came from; or the file or filter that is shown' },
  { name: 'src', reason: 'where the reader came from; or the picture or file that is shown' },
  { name: 'share', reason: 'how the link was shared; or the share that is shown' },
];

/** The soft names that have values which are attribution and nothing else. */
export type SoftValueName = 'from' | 'ref';

/** In lower case: these words are matched ignoring case. */
export const SOFT_VALUES: Readonly<Record<SoftValueName, readonly string[]>> = {
  from: [
    'timeline',
    'singlemessage',
    'groupmessage',
    'moments',
    'wechat',
    'weixin',
    'weibo',
    'qq',
    'qzone',
    'share',
    'sharelink',
    'qrcode',
    'sms',
  ],
  ref: ['twitter', 'facebook', 'newsletter', 'email', 'rss', 'wechat', 'weibo', 'share'],
};

/** Beside one of these `from` is the start of a range and stays. */
export const RANGE_ENDS: readonly string[] = ['to', 'until', 'till', 'end'];

/** Session ids in the query; `value`, where there is one, is what the value must look like. */
export const SESSION_NAMES: readonly (TrackingName & { readonly value?: RegExp })[] = [
  { name: 'phpsessid', reason: 'PHP session id' },
  { name: 'jsessionid', reason: 'Java servlet session id' },
  {
    name: 'sid',
    value: /^[0-9a-f]{32}$/i,
    reason: 'session id of forums and shops, where it looks like 32 hex digits',
  },
];
