// What the page says when it cannot start. It runs first, and in browsers of any age, also where they cannot read the rest.
'use strict';

var message = document.getElementById('message');
var needed = 'It needs WebAssembly with exceptions: Chrome 97, Firefox 100, Safari 16 or a later one.';
var failed = false;

// The first reason stands: others follow from it.
function cannotStart(why) {
  if (failed || window.viz) return;
  failed = true;
  message.textContent = 'The explorer cannot start: ' + why;
}

// A program of WebAssembly that catches an exception.
var catching = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

if (typeof WebAssembly !== 'object') {
  cannotStart('this browser has no WebAssembly, or it is switched off here. ' + needed);
} else if (!WebAssembly.validate(new Uint8Array(catching))) {
  cannotStart('this browser has no exceptions in WebAssembly. ' + needed);
}

// A script that did not come, or that this browser cannot read.
window.addEventListener('error', function (event) {
  var file = event.target.src;
  if (file) cannotStart(file + ' cannot be fetched. Is all of the page there? Then reload it.');
  else cannotStart('a script cannot be read here (' + event.message + '). ' + needed);
}, true);
