// Tells users in their language that the page is loading, and why it cannot start. Runs first, in browsers of any age,
// even if they cannot parse the rest.
'use strict';

var message = document.getElementById('message');
// The language of the link, or else that of the browser.
var named = /[#&]lang=([a-z]*)/.exec(location.hash);
var chinese = /^zh\b/.test(named ? named[1] : navigator.language);
var failed = false;

// Shows the user a sentence, in both languages.
function tell(english, inChinese) {
  return chinese ? inChinese : english;
}

var needed = tell('It needs WebAssembly with exceptions: Chrome 97, Firefox 100, Safari 16 or a later one.',
    '它需要带异常处理的 WebAssembly：Chrome 97、Firefox 100、Safari 16 或更新的版本。');
message.textContent = tell('Loading the explorer …', '正在加载探索器……');

// Language and name of the page for screen readers. One line names the keys that lead to everything else.
function nameIn(inChinese) {
  document.documentElement.lang = inChinese ? 'zh' : 'en';
  document.getElementById('canvas').setAttribute('aria-label', inChinese ?
    '探索器。空格键播放，方向键逐步前进或后退，斜杠键按名称查找任何内容，问号键列出其他按键。' :
    'The explorer. Space plays, the arrow keys step, the slash finds anything by its name, the question mark lists the other keys.');
}
nameIn(chinese);

// Keeps the first reason: others follow from it.
function cannotStart(why) {
  if (failed || window.viz) return;
  failed = true;
  message.textContent = tell('The explorer cannot start: ', '探索器无法启动：') + why;
}

// A WebAssembly program that catches an exception.
var catching = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

if (typeof WebAssembly !== 'object') {
  cannotStart(tell('this browser has no WebAssembly, or it is switched off here. ', '此浏览器没有 WebAssembly，或已被关闭。') + needed);
} else if (!WebAssembly.validate(new Uint8Array(catching))) {
  cannotStart(tell('this browser has no exceptions in WebAssembly. ', '此浏览器的 WebAssembly 不支持异常处理。') + needed);
}

// A script that failed to load, or that this browser cannot parse.
window.addEventListener('error', function (event) {
  var file = event.target.src;
  if (file)
    cannotStart(file + tell(' cannot be fetched. Is all of the page there? Then reload it.', ' 无法获取。请确认页面文件齐全，再重新加载。'));
  else
    cannotStart(tell('a script cannot be read here (', '有脚本无法读取（') + event.message + tell('). ', '）。') + needed);
}, true);
